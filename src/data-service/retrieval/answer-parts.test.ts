import { create, fromBinary, fromJsonString, toBinary, toJsonString } from '@bufbuild/protobuf';
import { base64Encode } from '@bufbuild/protobuf/wire';
import { describe, expect, it } from 'vitest';
import { BinaryDataByFilterResponseSchema } from '../../gen/app/data/v1/data_pb.ts';
import { placeInJson, placeInProtobuf, type AnswerPart } from './answer-parts.ts';

const files = [3, 0, 1, 200, 70_000].map((length) => Uint8Array.from({ length }, (_, n) => (n * 7) & 0xff));
const sizes = files.map(({ length }) => length);

const page = (withBytes: boolean) =>
  create(BinaryDataByFilterResponseSchema, {
    data: files.map((binary, n) => ({
      ...(withBytes && { binary }),
      metadata: { binaryDataId: `org/lab/${n}`, fileName: '","binary":"…', captureMetadata: { tags: ['a', 'b'] } },
    })),
    count: 5n,
    last: 'a cursor',
    totalSizeBytes: 2n ** 60n,
  });

const joined = (parts: readonly AnswerPart[], encode: (bytes: Uint8Array) => Uint8Array): Uint8Array<ArrayBuffer> => {
  const pieces = parts.map((part) => (part instanceof Uint8Array ? part : encode(files[part.file]!)));
  expect(pieces.map(({ length }) => length)).toEqual(parts.map(({ length }) => length));
  return new Uint8Array(Buffer.concat(pieces));
};
const base64 = (bytes: Uint8Array): Uint8Array => new TextEncoder().encode(base64Encode(bytes));

describe('the places of files', () => {
  it('in protobuf make the message that has their bytes', () => {
    const without = toBinary(BinaryDataByFilterResponseSchema, page(false));
    const whole = joined(placeInProtobuf(without, sizes), (bytes) => bytes);
    expect(fromBinary(BinaryDataByFilterResponseSchema, whole)).toEqual(page(true));
    expect(whole).toEqual(toBinary(BinaryDataByFilterResponseSchema, page(true)));
  });

  it('in JSON make the message that has their bytes', () => {
    const without = new TextEncoder().encode(toJsonString(BinaryDataByFilterResponseSchema, page(false)));
    const whole = new TextDecoder().decode(joined(placeInJson(without, sizes), base64));
    expect(fromJsonString(BinaryDataByFilterResponseSchema, whole)).toEqual(page(true));
  });

  it.each(['', 'x'])('of a page without entries are none', (last) => {
    const empty = create(BinaryDataByFilterResponseSchema, { last });
    const bytes = toBinary(BinaryDataByFilterResponseSchema, empty);
    expect(joined(placeInProtobuf(bytes, []), base64)).toEqual(bytes);
    const text = new TextEncoder().encode(toJsonString(BinaryDataByFilterResponseSchema, empty));
    expect(joined(placeInJson(text, []), base64)).toEqual(new Uint8Array(text));
  });
});
