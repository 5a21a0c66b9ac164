import { expect, it, onTestFinished } from 'vitest';
import { startDataService, startTime, uploadPicture } from '../../../tests/data-service-fixture.ts';
import type { CheckState } from '../../data-service/ports/check-state.ts';
import { StoreError } from '../../data-service/ports/store-error.ts';
import { StoreHealth } from './store-health.ts';
import { FileWatch } from './file-watch.ts';

const bytesPerSecond = 100_000;
const dayMs = 86_400_000;
const content = (n: number): string => String(n).padStart(20_000, '.');
/** Time for one file of 20,000 bytes, with the 16 KiB that finding it counts as. */
const fileMs = (20_000 + 16 * 1024) / 100;

/** A service with ten files, a clock that goes on by what is waited for, and what a server keeps when it ends. */
async function watched() {
  const { owner, dependencies } = await startDataService();
  const { store } = dependencies;
  const ids: string[] = [];
  for (let n = 0; n < 10; n++) ids.push(await uploadPicture(owner, {}, startTime + n, content(n)));
  const records = await store.binary.get('a', ids);
  const numberOf = new Map(records.map((record, n) => [record!.blobAddress, n]));
  const lost = new Set<number>();
  const read: number[] = [];
  const open = store.blobs.open.bind(store.blobs);
  store.blobs.open = async (address) => {
    const number = numberOf.get(address)!;
    read.push(number);
    return lost.has(number) ? null : open(address);
  };
  let state: CheckState = { after: null, timeEnded: null, damaged: [] };
  const kept = { read: async () => state, write: async (written: CheckState) => void (state = written) };
  const time = { nowMs: 0, isBusy: false };
  const reported: unknown[] = [];

  /** A server that runs for so long. */
  async function serve(forMs: number) {
    const endMs = time.nowMs + forMs;
    const health = new StoreHealth({ report: (error) => reported.push(error) });
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const timer = {
      nowMs: () => time.nowMs,
      async wait(ms: number, signal: AbortSignal): Promise<void> {
        if (time.nowMs + ms > endMs) {
          time.nowMs = endMs;
          end();
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
        }
        time.nowMs += ms;
      },
    };
    const log = { info: () => undefined } as never;
    const watch = new FileWatch({ store, health, log }, kept, { bytesPerSecond, timer, isBusy: () => time.isBusy });
    onTestFinished(() => watch.stop());
    watch.start();
    await ended;
    await watch.stop();
    return health;
  }
  return { store, owner, ids, lost, read, time, reported, serve, state: () => state };
}

it('reads no faster than it is told, and at a tenth of that while calls wait', async () => {
  const { read, time, serve } = await watched();
  await serve(4.5 * fileMs);
  expect(read).toEqual([0, 1, 2, 3, 4]);
  time.isBusy = true;
  await serve(25 * fileMs);
  expect(read.slice(5)).toEqual([4, 5, 6]);
});

it('goes on where a former server ended, with what that one found', async () => {
  const { ids, lost, read, reported, serve, state } = await watched();
  lost.add(1);
  const before = await serve(5.5 * fileMs);
  expect(before.damagedIds).toEqual([ids[1]]);
  expect(state()).toMatchObject({ after: { id: ids.at(Math.max(...read) - 1) }, damaged: [ids[1]] });
  const from = Math.max(...read);
  read.length = 0;
  const after = await serve(dayMs / 2);
  expect(read).toEqual([1, ...Array.from({ length: 10 - from }, (_, n) => from + n)]);
  expect(after.damagedIds).toEqual([ids[1]]);
  expect(reported).toHaveLength(2); // once in each log
});

it('begins anew a day after its end, also in a later server, and tells what is new', async () => {
  const { owner, ids, lost, read, reported, serve } = await watched();
  await serve(dayMs);
  expect(read).toHaveLength(10);
  lost.add(3).add(7);
  const health = await serve(dayMs / 2);
  expect(read).toHaveLength(20);
  expect(health.damagedIds).toEqual([ids[3], ids[7]]);
  expect(reported).toMatchObject([
    { code: 'damaged', subject: ids[3], fault: 'lost' },
    { code: 'damaged', subject: ids[7], fault: 'lost' },
  ]);
  await owner.data.deleteBinaryDataByIDs({ binaryDataIds: [ids[3]!] });
  lost.clear(); // the other one was taken from a backup
  expect((await serve(2 * dayMs)).damagedIds).toEqual([]);
  expect(reported).toHaveLength(2);
});

it('forgets files that were deleted, and reports a damaged one once, however often it is read', async () => {
  const { store, ids, lost, reported, serve } = await watched();
  lost.add(2).add(5);
  const page = store.binary.page.bind(store.binary);
  let pages = 0;
  store.binary.page = async (scan) => {
    if (++pages === 3) await store.binary.delete('a', [ids[2]!]);
    return page(scan);
  };
  const health = await serve(4 * dayMs);
  expect(pages).toBeGreaterThan(3);
  expect(health.damagedIds).toEqual([ids[5]]);
  expect(health.met.file).toBe(2);
  expect(reported).toHaveLength(2);
});

it('reports a store that fails, and tries again', async () => {
  const { store, read, reported, serve } = await watched();
  const page = store.binary.page.bind(store.binary);
  let failures = 2;
  store.binary.page = (scan) =>
    failures-- > 0 ? Promise.reject(new StoreError('unavailable', 'The database is locked.')) : page(scan);
  await serve(dayMs / 2);
  expect(reported).toHaveLength(2);
  expect(read).toHaveLength(10);
});
