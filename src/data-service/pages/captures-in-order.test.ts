import { describe, expect, it } from 'vitest';
import { collect } from '../../../tests/data-service-fixture.ts';
import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
import { anonymousReceipt, binaryRecord, tabularRow } from '../../../tests/contract/data-store/captures.ts';
import { everyReadingOf } from '../ports/capture-filter.ts';
import type { TabularRow } from '../ports/stored-captures.ts';
import { filesOf, mergedOf, pairsOf, readingPages, readingsOf } from './captures-in-order.ts';

const row = (place: string): TabularRow => tabularRow(place, { timeRequested: Number(place.split('-')[0]) });

/** Pages of readings; their ids begin with their times. */
async function* pagesOf(...pages: readonly (readonly string[])[]) {
  for (const page of pages) yield page.map(row);
}

async function pairs(source: AsyncIterable<readonly TabularRow[]>, target: AsyncIterable<readonly TabularRow[]>) {
  const found = await collect(pairsOf(source, target));
  return found.map((pair) => [pair.source?.id ?? null, pair.target?.id ?? null]);
}

it('puts captures beside each other by time and id, over the ends of pages', async () => {
  const source = pagesOf(['1-a', '1-b'], [], ['2-a', '3-a']);
  const target = pagesOf(['0-z'], ['1-b', '2-b', '3-a'], ['4-a']);
  expect(await pairs(source, target)).toEqual([
    [null, '0-z'],
    ['1-a', null],
    ['1-b', '1-b'],
    ['2-a', null],
    [null, '2-b'],
    ['3-a', '3-a'],
    [null, '4-a'],
  ]);
});

it('closes both sides, also where nobody reads to the end', async () => {
  const closed: string[] = [];
  async function* endless(name: string) {
    try {
      for (let n = 0; ; n++) yield [row(`${n}-a`)];
    } finally {
      closed.push(name);
    }
  }
  for await (const pair of pairsOf(endless('source'), endless('target'))) if (pair.source!.id === '3-a') break;
  expect(closed).toEqual(['source', 'target']);
});

it('merges captures by time and id, and closes every scan, also where nobody reads to the end', async () => {
  const closed: number[] = [];
  const scans = [pagesOf(['1-a', '3-a'], ['3-c', '9-a']), pagesOf(), pagesOf([], ['2-a', '3-b'])].map(
    async function* (pages, at) {
      try {
        yield* pages;
      } finally {
        closed.push(at);
      }
    },
  );
  const read: string[] = [];
  for await (const { id } of mergedOf(scans)) {
    read.push(id);
    if (id === '3-c') break;
  }
  expect(read).toEqual(['1-a', '2-a', '3-a', '3-b', '3-c']);
  expect(closed.toSorted()).toEqual([0, 1, 2]);
  expect(await collect(mergedOf<TabularRow>([]))).toEqual([]);
});

it('reads each file once, some at a time', async () => {
  const { binary } = memoryDataStore({ now: () => 0 });
  const files = Array.from({ length: 230 }, (_, n) => binaryRecord(`f-${n}`, { timeRequested: n }));
  await binary.insert(files, anonymousReceipt());
  const pages = await collect(filesOf({ binary }, 'org'));
  expect(pages.map(({ length }) => length)).toEqual([100, 100, 30]);
  expect(pages.flat()).toEqual(files);
});

describe('readings', () => {
  const mostBytes = 8 * 2 ** 20;
  const readAll = async (rows: readonly TabularRow[]) => {
    const { tabular } = memoryDataStore({ now: () => 0 });
    await tabular.insert(rows, anonymousReceipt());
    const pages = await collect(readingsOf({ tabular }, 'org'));
    expect(pages.flat()).toEqual(rows.toSorted((a, b) => a.timeRequested - b.timeRequested));
    return pages;
  };
  const rowsAt = (times: readonly number[], sizeOf: (n: number) => number) =>
    times.map((timeRequested, n) =>
      tabularRow(`r-${String(n).padStart(6, '0')}`, { timeRequested, sizeBytes: sizeOf(n) }),
    );
  const sizeOf = (page: readonly TabularRow[]) => page.reduce((total, { sizeBytes }) => total + sizeBytes, 0);

  it('come few at a time where they are large, also suddenly, and many where they are small', async () => {
    const times = Array.from({ length: 9000 }, (_, n) => n * 1000);
    const pages = await readAll(rowsAt(times, (n) => (n < 8000 ? 100 : 4e6)));
    for (const page of pages) expect(sizeOf(page)).toBeLessThanOrEqual(mostBytes);
    expect(pages.length).toBeGreaterThanOrEqual(500);
    expect(pages.filter((page) => page[0]!.sizeBytes === 100).length).toBeLessThan(40);
  });

  it('come at any distance in time, before 1970 and at the end of protobuf too', async () => {
    const [first, last] = [-62_135_596_800_000_000, 253_402_300_799_999_000];
    await readAll(rowsAt([first, first + 64, -1, 0, 1, 2, 1e9, 1.7e15, 1.7e15 + 1, last, last], () => 10));
    expect(await readAll([])).toEqual([]);
  });

  it('come of an interval alone', async () => {
    const { tabular } = memoryDataStore({ now: () => 0 });
    const times = Array.from({ length: 3000 }, (_, n) => n * 1000);
    await tabular.insert(
      rowsAt(times, () => 10),
      anonymousReceipt(),
    );
    const timesOf = async (start: number | null, end: number | null) =>
      (await collect(readingsOf({ tabular }, 'org', { start, end }))).flat().map(({ timeRequested }) => timeRequested);
    expect(await timesOf(2000, 5000)).toEqual([2000, 3000, 4000]);
    expect(await timesOf(2000, 2064)).toEqual([2000]);
    expect(await timesOf(2001, 2065)).toEqual([]);
    expect(await timesOf(1_500_000, 2_800_000)).toEqual(times.slice(1500, 2800));
    expect(await timesOf(null, 2000)).toEqual([0, 1000]);
  });

  it('of a window come in pages of the size that is asked for', async () => {
    const { tabular } = memoryDataStore({ now: () => 0 });
    const rows = rowsAt(
      Array.from({ length: 60 }, (_, n) => n * 1e6),
      () => 2 ** 20,
    );
    await tabular.insert(rows, anonymousReceipt());
    const window = { ...everyReadingOf('org'), interval: { start: 10e6, end: 30e6 + 1 } };
    const pages = await collect(readingPages({ tabular }, window, 3 * 2 ** 20));
    expect(pages.flat()).toEqual(rows.slice(10, 31));
    for (const page of pages) expect(page.length).toBeLessThanOrEqual(3);
  });

  it('of one instant come in pages of one size', async () => {
    const pages = await readAll(rowsAt(Array<number>(40).fill(5), () => 2 ** 20));
    expect(pages.map(({ length }) => length)).toEqual([7, 7, 7, 7, 7, 5]);
  });
});
