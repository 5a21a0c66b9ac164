import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import {
  BinaryDataByFilterResponseSchema,
  BinaryDataByIDsResponseSchema,
  BinaryDataSchema,
} from '../../gen/app/data/v1/data_pb.ts';

/** A file's position in an answer: its number, counted from 0, and the bytes that it takes there. */
export interface FilePart {
  readonly file: number;
  readonly length: number;
}

/** Bytes of an answer, or the position of a file's bytes. */
export type AnswerPart = Uint8Array<ArrayBuffer> | FilePart;

/**
 * Where the bytes of files belong in an encoded page that was written without them. `sizes`: of the files, in the order
 * of the page's `data`.
 */
export type PlaceFiles = (page: Uint8Array<ArrayBuffer>, sizes: readonly number[]) => AnswerPart[];

const dataField = BinaryDataByFilterResponseSchema.field.data.number;
if (BinaryDataByIDsResponseSchema.field.data.number !== dataField) throw new Error('Both pages have the same fields.');
const binaryField = BinaryDataSchema.field.binary.number;

export const placeInProtobuf: PlaceFiles = (page, sizes) => {
  const parts: AnswerPart[] = [];
  const reader = new BinaryReader(page);
  for (let file = 0; reader.pos < reader.len;) {
    const start = reader.pos;
    const [field, wireType] = reader.tag();
    const length = field === dataField ? sizes[file++]! : 0;
    if (length === 0) {
      reader.skip(wireType, field);
      parts.push(page.subarray(start, reader.pos));
      continue;
    }
    const entryLength = reader.uint32();
    const entry = page.subarray(reader.pos, (reader.pos += entryLength));
    const binaryHead = new BinaryWriter().tag(binaryField, WireType.LengthDelimited).uint32(length).finish();
    const head = new BinaryWriter()
      .tag(dataField, WireType.LengthDelimited)
      .uint32(binaryHead.length + length + entryLength)
      .raw(binaryHead);
    parts.push(head.finish(), { file: file - 1, length }, entry);
  }
  return parts;
};

/** A file's bytes stand there in base64. A page with entries has more fields than them: their `count`. */
export const placeInJson: PlaceFiles = (page, sizes) => {
  const { data = [], ...rest } = JSON.parse(new TextDecoder().decode(page)) as { readonly data?: readonly object[] };
  if (data.length === 0) return [page];
  const utf8 = new TextEncoder();
  const parts: AnswerPart[] = [utf8.encode(`${JSON.stringify(rest).slice(0, -1)},"data":[`)];
  for (const [file, entry] of data.entries()) {
    const text = JSON.stringify(entry);
    if (file > 0) parts.push(utf8.encode(','));
    if (sizes[file] === 0) {
      parts.push(utf8.encode(text));
      continue;
    }
    const length = 4 * Math.ceil(sizes[file]! / 3);
    parts.push(utf8.encode('{"binary":"'), { file, length }, utf8.encode(`",${text.slice(1)}`));
  }
  parts.push(utf8.encode(']}'));
  return parts;
};
