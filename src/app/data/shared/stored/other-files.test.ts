import { expect, it } from 'vitest';
import type { PageSource } from '../items/paged-rows.svelte.ts';
import { withoutShown } from './other-files.ts';
import type { StoredItem } from '../items/stored-item.ts';

const item = (id: number, mimeType: string): StoredItem => ({
  id: String(id),
  name: `f${id}`,
  mimeType,
  sizeBytes: 10,
  timeMs: id,
  tags: [],
  datasetIds: [],
  boxCount: 0,
  boxes: [],
});

function source(items: readonly StoredItem[]): PageSource<StoredItem> & { calls: number } {
  const counted = {
    calls: 0,
    count: async () => ({ count: items.length, totalSizeBytes: items.length * 10 }),
    page: async ({ last, limit, reverse }: { last: string; limit: number; reverse: boolean }) => {
      counted.calls += 1;
      const ordered = reverse ? items.toReversed() : items;
      const from = last === '' ? 0 : ordered.findIndex(({ id }) => id === last) + 1;
      const rows = ordered.slice(from, from + limit);
      return { rows, last: rows.at(-1)?.id ?? '' };
    },
  };
  return counted;
}

// Every seventh is a video among images.
const items = Array.from({ length: 5000 }, (_, i) => item(i, i % 7 === 0 ? 'video/mp4' : 'image/jpeg'));
const videos = items.filter(({ mimeType }) => mimeType === 'video/mp4');
const never = new AbortController().signal;

it.each([false, true])('gives every other file once, in pages, reverse: %j', async (reverse) => {
  const files = withoutShown(source(items), source(items.filter(({ mimeType }) => mimeType === 'image/jpeg')));
  expect(await files.count(never)).toEqual({ count: videos.length, totalSizeBytes: videos.length * 10 });
  const ids: string[] = [];
  for (let last = '', rows = 1; rows > 0;) {
    const page = await files.page({ last, limit: 200, reverse }, never);
    expect(page.rows.length).toBeLessThanOrEqual(200);
    ids.push(...page.rows.map(({ id }) => id));
    [last, rows] = [page.last, page.rows.length];
  }
  const expected = videos.map(({ id }) => id);
  expect(ids).toEqual(reverse ? expected.toReversed() : expected);
});

it('asks for nothing more once it has all of them', async () => {
  const all = source([item(1, 'video/mp4'), ...items.slice(1, 7)]);
  const files = withoutShown(all, source(items.slice(1, 7)));
  await files.count(never);
  const page = await files.page({ last: '', limit: 200, reverse: false }, never);
  expect([page.rows.length, all.calls]).toEqual([1, 1]);
});

it('counts nothing rather than less, where files were deleted between its two counts', async () => {
  const files = withoutShown(source(items.slice(0, 2)), source(items.slice(0, 5)));
  expect(await files.count(never)).toEqual({ count: 0, totalSizeBytes: 0 });
});
