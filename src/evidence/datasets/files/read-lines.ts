import { readAll } from '../item/content.ts';
import type { ListedFile } from '../item/dataset-item.ts';
import { decodeText, startsAsUtf16 } from './decode-text.ts';
import { joinBytes } from '../../../base/streams/join-bytes.ts';

export interface TextLine {
  /** counted from 1 */
  readonly number: number;
  /** without its line break; null if the line is longer than the limit */
  readonly text: string | null;
}

const lineFeed = 0x0a;
/** Longer lines are skipped. The record of a picture with ten thousand boxes has 2 MB. */
const longestLineBytes = 16 * 1024 * 1024;
const longestUtf16Bytes = 256 * 1024 * 1024;

/** Reads the lines of a text file of any size, with one chunk in memory at a time. Lines end with LF or CRLF. */
export async function* readLines(file: ListedFile): AsyncGenerator<TextLine> {
  let number = 0;
  let rest: Uint8Array[] = [];
  let restBytes = 0;
  let first = true;
  const line = (bytes: Uint8Array): TextLine => ({ number: ++number, text: withoutBreak(decodeText(bytes).text) });

  for await (const chunk of file.read()) {
    if (first && startsAsUtf16(chunk)) {
      yield* linesOf(decodeText(await readAll(file, longestUtf16Bytes)).text);
      return;
    }
    first &&= chunk.length === 0;
    let start = 0;
    for (let end; (end = chunk.indexOf(lineFeed, start)) >= 0; start = end + 1) {
      const piece = chunk.subarray(start, end);
      if (restBytes + piece.length > longestLineBytes) yield { number: ++number, text: null };
      else yield line(joined(rest, piece));
      rest = [];
      restBytes = 0;
    }
    restBytes += chunk.length - start;
    if (restBytes > longestLineBytes) rest = [];
    else if (start < chunk.length) rest.push(chunk.slice(start)); // a copy, because the source may reuse its buffer
  }
  if (restBytes > longestLineBytes) yield { number: ++number, text: null };
  else if (restBytes > 0) yield line(joined(rest, new Uint8Array(0)));
}

/** The lines of a text in memory. */
export function linesOf(text: string): TextLine[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line, i) => ({ number: i + 1, text: line }));
}

function withoutBreak(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

const joined = (parts: readonly Uint8Array[], last: Uint8Array): Uint8Array =>
  parts.length === 0 ? last : joinBytes([...parts, last]);
