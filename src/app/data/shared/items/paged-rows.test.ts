import { expect, it } from 'vitest';
import { deferred } from '../../../../../tests/deferred.ts';
import { PagedRows, type PageSource } from './paged-rows.svelte.ts';

/** Rows 0 … n−1 behind cursors that are the row they follow. */
function source(count: number): PageSource<number> & { readonly asked: string[]; rows: number[] } {
  const asked: string[] = [];
  const numbers = {
    asked,
    rows: Array.from({ length: count }, (_, i) => i),
    count: async (_: AbortSignal) => ({ count: numbers.rows.length, totalSizeBytes: numbers.rows.length * 10 }),
    page: async ({ last, limit, reverse }: { last: string; limit: number; reverse: boolean }) => {
      asked.push(`${reverse ? 'back' : 'on'} ${last || 'start'} ${limit}`);
      const ordered = reverse ? numbers.rows.toReversed() : numbers.rows;
      const from = last === '' ? 0 : ordered.indexOf(Number(last)) + 1;
      const rows = ordered.slice(from, from + limit);
      return { rows, last: rows.length > 0 ? String(rows.at(-1)) : '' };
    },
  };
  return numbers;
}

const never = new AbortController().signal;
const failed = (error: unknown): never => {
  throw error;
};

/** Until the reading that `want` began is over. */
async function settled(rows: PagedRows<number>, index: number): Promise<number | undefined> {
  for (let turn = 0; turn < 5000 && rows.row(index) === undefined; turn++) await Promise.resolve();
  return rows.row(index);
}

it('reads what is looked at and no more', async () => {
  const numbers = source(1000);
  const rows = new PagedRows(numbers, failed);
  rows.want(0, 30);
  await rows.refresh();
  expect([rows.total, rows.totalSizeBytes]).toEqual([1000, 10_000]);
  expect(rows.row(29)).toBe(29);
  expect(rows.row(200)).toBeUndefined();
  expect(numbers.asked).toEqual(['on start 200']);
});

it('reads the end in reverse, and the middle from the nearer side', async () => {
  const numbers = source(1050);
  const rows = new PagedRows(numbers, failed);
  await rows.refresh();
  rows.want(1040, 1050);
  expect(await settled(rows, 1049)).toBe(1049);
  expect(rows.row(1000)).toBe(1000);
  rows.want(850, 870);
  expect(await settled(rows, 860)).toBe(860);
  expect(numbers.asked).toEqual(['on start 200', 'back start 50', 'back 1000 200']);
  rows.want(450, 470);
  expect(await settled(rows, 460)).toBe(460);
  expect(numbers.asked.slice(3)).toEqual(['on 199 200', 'on 399 200']);
  for (let index = 0; index < 600; index++) expect(rows.row(index)).toBe(index);
});

it('gives the rows between two places, read as needed', async () => {
  const rows = new PagedRows(source(900), failed);
  await rows.refresh();
  expect(await rows.between(650, 190)).toEqual(Array.from({ length: 461 }, (_, i) => 190 + i));
  expect(await rows.between(880, 2000)).toEqual(Array.from({ length: 20 }, (_, i) => 880 + i));
});

it('shows the old rows until the new ones are there', async () => {
  const numbers = source(300);
  const rows = new PagedRows(numbers, failed);
  rows.want(0, 20);
  await rows.refresh();
  numbers.rows = [1000, ...numbers.rows];
  const refreshed = rows.refresh();
  expect(rows.row(0)).toBe(0);
  await refreshed;
  expect([rows.total, rows.row(0), rows.row(1)]).toEqual([301, 1000, 0]);
});

it('shrinks where there are fewer than were counted', async () => {
  const numbers = source(20);
  const rows = new PagedRows({ ...numbers, count: async () => ({ count: 50, totalSizeBytes: 0 }) }, failed);
  rows.want(0, 50);
  await rows.refresh();
  expect(rows.total).toBe(20);
});

it('says what failed, and tries again when asked', async () => {
  const errors: unknown[] = [];
  let broken = true;
  const numbers = source(10);
  const page: PageSource<number>['page'] = (request, signal) =>
    broken ? Promise.reject(new Error('gone')) : numbers.page(request, signal);
  const rows = new PagedRows({ ...numbers, page }, (error) => errors.push(error));
  await rows.refresh();
  expect(String(errors[0])).toContain('gone');
  broken = false;
  await rows.refresh();
  expect(rows.row(9)).toBe(9);
});

it('changes rows in place', async () => {
  const rows = new PagedRows(source(10), failed);
  await rows.refresh();
  rows.change((row) => (row === 3 ? 33 : row));
  expect([rows.row(2), rows.row(3), rows.indexOf((row) => row === 33)]).toEqual([2, 33, 3]);
});

it('shows the first page while all are still counted', async () => {
  const numbers = source(1000);
  let counted = (): void => undefined;
  const counting = new Promise<void>((resolve) => (counted = resolve));
  const rows = new PagedRows({ ...numbers, count: (signal) => counting.then(() => numbers.count(signal)) }, failed);
  const refreshed = rows.refresh();
  expect(await settled(rows, 0)).toBe(0);
  expect([rows.isCounted, rows.total]).toEqual([false, 200]);
  counted();
  await refreshed;
  expect([rows.isCounted, rows.total]).toEqual([true, 1000]);
});

it('counts again only where a glance tells that something changed, or when asked to', async () => {
  const numbers = source(300);
  let counts = 0;
  const count = () => {
    counts += 1;
    return numbers.count(never);
  };
  const rows = new PagedRows({ ...numbers, count, glance: async () => String(numbers.rows[0]) }, failed);
  await rows.refresh();
  await rows.refreshIfChanged();
  expect(counts).toBe(1);
  numbers.rows = [-1, ...numbers.rows];
  await rows.refreshIfChanged();
  expect([counts, rows.total]).toEqual([2, 301]);
  numbers.rows = numbers.rows.toSpliced(150, 1);
  await rows.refreshIfChanged();
  expect(rows.total).toBe(301);
  await rows.refreshIfChanged(true);
  expect(rows.total).toBe(300);
});

it('takes no count that comes after a later refresh', async () => {
  const numbers = source(300);
  const late = deferred<{ count: number; totalSizeBytes: number }>();
  let counts = 0;
  const count = (signal: AbortSignal) => (counts++ === 0 ? late.promise : numbers.count(signal));
  const rows = new PagedRows({ ...numbers, count }, failed);
  const first = rows.refresh();
  await expect.poll(() => counts).toBe(1);
  await rows.refresh();
  late.resolve({ count: 7, totalSizeBytes: 70 });
  await first;
  expect([rows.total, rows.totalSizeBytes]).toEqual([300, 3000]);
});

it('keeps no page that was asked for before a refresh', async () => {
  const numbers = source(600);
  const late = deferred();
  let held = false;
  const page: PageSource<number>['page'] = async (request, signal) => {
    const [isHeld, answer] = [held, await numbers.page(request, signal)];
    if (isHeld) await late.promise;
    return answer;
  };
  const rows = new PagedRows({ ...numbers, page }, failed);
  await rows.refresh();
  held = true;
  const asked = numbers.asked.length;
  const between = rows.between(200, 210);
  await expect.poll(() => numbers.asked.length).toBeGreaterThan(asked);
  held = false;
  numbers.rows = numbers.rows.map((row) => row + 1000);
  await rows.refresh();
  late.resolve();
  expect([(await between)[0], rows.row(200)]).toEqual([1200, 1200]);
});

it('keeps 100,000 rows in memory, those that were read last', async () => {
  const numbers = source(101_000);
  const rows = new PagedRows(numbers, failed);
  await rows.refresh();
  await rows.between(0, 100_999);
  expect([rows.row(0), rows.row(100_999)]).toEqual([undefined, 100_999]);
});

it('checks nothing more once it is closed', async () => {
  const numbers = source(300);
  const glance = deferred<string>();
  let counts = 0;
  let glances = 0;
  const rows = new PagedRows(
    {
      ...numbers,
      count: (signal) => (counts++, numbers.count(signal)),
      glance: async () => (glances++ === 0 ? '' : glance.promise),
    },
    failed,
  );
  await rows.refresh();
  const checking = rows.refreshIfChanged();
  await rows.refreshIfChanged(true); // once the running check has ended
  rows.close();
  glance.resolve('');
  await checking;
  expect(counts).toBe(1);
});
