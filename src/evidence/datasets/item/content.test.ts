import { describe, expect, it } from 'vitest';
import { contentOf, generatedContent, readAll, readHead } from './content.ts';
import type { Content } from './dataset-item.ts';

const chunked = (...chunks: number[][]): Content =>
  generatedContent(() => chunks.map((chunk) => Uint8Array.from(chunk)));

it('says how large bytes are, and not what is made while it is read', () => {
  expect([contentOf(new Uint8Array(3)).sizeBytes, chunked([1]).sizeBytes]).toEqual([3, null]);
});

it.each([
  ['no chunk', [], []],
  ['one', [[1, 2]], [1, 2]],
  ['several', [[1], [], [2, 3], [4]], [1, 2, 3, 4]],
])('reads %s whole, each time from the start', async (_, chunks, bytes) => {
  const content = chunked(...chunks);
  for (let time = 0; time < 2; time++) expect([...(await readAll(content, 4))]).toEqual(bytes);
});

describe('limits', () => {
  it('refuses more bytes than were allowed, and no fewer', async () => {
    await expect(readAll(chunked([1, 2], [3]), 2)).rejects.toThrow('The file has more than 2 bytes.');
    await expect(readAll(chunked([1, 2], [3]), 3)).resolves.toHaveLength(3);
  });

  it.each([
    [0, []],
    [2, [1, 2]],
    [3, [1, 2, 3]],
    [9, [1, 2, 3, 4]],
  ])('reads a head of %i bytes', async (wanted, head) => {
    expect([...(await readHead(chunked([1, 2], [3, 4]), wanted))]).toEqual(head);
  });

  it('asks for no chunk behind the one in which the limit is passed', async () => {
    const asked: number[] = [];
    const endless = generatedContent(function* () {
      for (let i = 0; ; i++) {
        asked.push(i);
        yield Uint8Array.of(i, i);
      }
    });
    expect([...(await readHead(endless, 3))]).toEqual([0, 0, 1]);
    expect(asked).toEqual([0, 1]);
  });
});
