import { expect, it } from 'vitest';
import { MemorySourceStore } from '../../../../tests/memory-source-store.ts';
import type { CopyReport } from './copy-report.ts';
import { SourceCopies, type BenchSource } from './source-copies.ts';

const here = (name: string, byteLength: number, cameAtMs = 1): BenchSource => ({
  source: { id: name, kind: 'still', name, byteLength: 0, cameAtMs },
  content: () => Promise.resolve(new File([new Uint8Array(byteLength)], name)),
});
const unreadable = (name: string): BenchSource => ({
  ...here(name, 0),
  content: () => Promise.reject(new DOMException('it was moved', 'NotFoundError')),
});

function copier(quotaBytes: number | null = 500) {
  const store = new MemorySourceStore();
  const reports: CopyReport[] = [];
  const copies = new SourceCopies(
    store,
    () => Promise.resolve(quotaBytes),
    (report) => reports.push(report),
  );
  const keep = async (...sources: readonly BenchSource[]) => {
    await copies.keep({ visitId: 'v', missing: [], here: sources });
    const { copied, onRequest, leftOut, ...rest } = reports.at(-1)!;
    const names = (of: CopyReport['copied']) => of.map(({ name }) => name);
    return { copied: names(copied), onRequest: names(onRequest), leftOut: names(leftOut), ...rest };
  };
  return { store, copies, reports, keep };
}

it('writes the list with its lengths before the first copy', async () => {
  const { store, keep } = copier();
  const report = await keep(here('a', 10), here('b', 20));
  expect(store.log).toEqual(['write 2', 'room 100', 'keep 2']);
  expect(store.visits.get('v')!.map(({ byteLength }) => byteLength)).toEqual([10, 20]);
  expect([...store.copies].map(([id, { size }]) => [id, size])).toEqual([
    ['a', 10],
    ['b', 20],
  ]);
  expect(report).toMatchObject({ copied: ['a', 'b'], waiting: 0, leftOut: [], budgetBytes: 100, trouble: '' });
});

it('copies nothing twice, and takes away the copies of what left the bench', async () => {
  const { store, keep } = copier();
  const [a, b] = [here('a', 10), here('b', 20)];
  await keep(a, b);
  store.log.length = 0;
  await keep(b);
  expect([store.log, [...store.copies.keys()]]).toEqual([['write 1', 'room 100'], ['b']]);
  await keep();
  expect([store.visits.size, store.copies.size]).toEqual([0, 0]);
});

it('tells of what is over the budget, and of files that the browser can be asked for', async () => {
  const { store, keep } = copier();
  store.known.add('film');
  const report = await keep(here('a', 60), here('b', 50), here('film', 200));
  expect(report).toMatchObject({ copied: ['a'], leftOut: ['b'], onRequest: ['film'] });
});

it('lets the oldest copies go for what came since', async () => {
  const { store, keep } = copier();
  const a = here('a', 60, 1);
  await keep(a);
  const report = await keep(a, here('b', 50, 2));
  expect([report.copied, report.leftOut, [...store.copies.keys()]]).toEqual([['b'], ['a'], ['b']]);
});

it('leaves out what cannot be read any more', async () => {
  const { keep } = copier();
  expect(await keep(here('a', 10), unreadable('gone'))).toMatchObject({ copied: ['a'], leftOut: ['gone'], waiting: 0 });
});

it('says that the disk is full, keeps what it has, and goes on when there is room', async () => {
  const { store, keep } = copier();
  const [a, b] = [here('a', 10), here('b', 20)];
  await keep(a);
  store.roomBytes = 15;
  expect(await keep(a, b)).toMatchObject({ copied: ['a'], leftOut: ['b'], waiting: 0, trouble: 'There is no room.' });
  store.roomBytes = Infinity;
  expect(await keep(a, b)).toMatchObject({ copied: ['a', 'b'], leftOut: [], trouble: '' });
});

it('names all of it where the browser keeps nothing', async () => {
  const { store, keep } = copier();
  store.isGone = true;
  const report = await keep(here('a', 10), here('b', 20));
  expect(report).toMatchObject({ copied: [], leftOut: ['a', 'b'], waiting: 0 });
  expect(report.trouble).toContain('no storage');
});

it('goes on with the newest list between two batches, and tells how far it is', async () => {
  const { store, copies, reports } = copier(null);
  const many = Array.from({ length: 120 }, (_, at) => here(`${at}`, 1));
  const first = copies.keep({ visitId: 'v', missing: [], here: many });
  const { keep } = store;
  store.keep = async (batch) => {
    await keep.call(store, batch);
    store.keep = keep;
    void copies.keep({ visitId: 'v', missing: [], here: many.slice(0, 70) });
  };
  await first;
  expect(store.log).toEqual(['write 120', 'room 100000000', 'keep 50', 'write 70', 'room 100000000', 'keep 20']);
  expect(reports.map(({ waiting }) => waiting)).toEqual([120, 120, 70, 70, 20, 0]);
  expect(store.copies.size).toBe(70);
});
