import fc from 'fast-check';
import { strToU8 } from 'fflate';
import { describe, expect, it } from 'vitest';
import { gathered } from '../../../../tests/dataset-fixture.ts';
import type { ListedFile } from '../item/dataset-item.ts';
import { linesOf, readLines } from './read-lines.ts';

function inChunks(bytes: Uint8Array, chunkBytes: number): ListedFile {
  return {
    path: 'a.jsonl',
    sizeBytes: bytes.length,
    async *read() {
      for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.slice(at, at + chunkBytes);
    },
  };
}

describe('readLines', () => {
  it('gives the lines of the whole text, wherever chunks end', async () => {
    const text = fc
      .array(fc.constantFrom('ä', '🐕', '\n', '\r\n', '{"a":1}', ''), { maxLength: 30 })
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (whole, chunkBytes) => {
        const lines = await gathered(readLines(inChunks(strToU8(whole), chunkBytes)));
        expect(lines).toEqual(linesOf(whole));
      }),
      { seed: 20261121, numRuns: 300 },
    );
  });

  it('passes over a line that is longer than any record, and goes on behind it', async () => {
    const long = 'x'.repeat(17 * 1024 * 1024);
    const lines = await gathered(readLines(inChunks(strToU8(`a\n${long}\nb`), 1 << 20)));
    expect(lines).toEqual([{ number: 1, text: 'a' }, { number: 2, text: null }, { number: 3, text: 'b' }]); // prettier-ignore
  });
});
