import { describe, expect, it } from 'vitest';
import { collect } from '../../../../tests/collect.ts';
import { footageFrame, memoryFootageStore, runSetup } from '../../../../tests/footage-frames.ts';
import type { FootageFrame } from '../../../evidence/footage/footage-frame.ts';
import { RunFrames } from './run-frames.ts';

const run = { fingerprint: 'f', setup: runSetup, isWhole: false };
const frame = (index: number): FootageFrame => footageFrame(index, [['cat', 0.5]]);

/** A thousand frames without those between 300 and 699, which are damaged, kept by hundreds; at most one page is in memory. */
async function long() {
  const store = memoryFootageStore();
  const frames = new RunFrames(store, 'one', 1);
  for (let index = 0; index < 1000; index++) {
    if (index < 300 || index >= 700) frames.add(frame(index));
    if (index % 100 === 99) await frames.keep(run);
  }
  return { store, frames };
}

describe('the frames of a run', () => {
  it('are read back page by page, those of the last page from memory', async () => {
    const { store, frames } = await long();
    expect(frames.count).toBe(600);
    const all = await collect(frames.all());
    expect(all.map(({ index }) => index)).toEqual([...Array(1000).keys()].filter((at) => at < 300 || at >= 700));
    expect(all[0]).toEqual(frame(0));
    expect(store.read).toEqual([0, 1, 2]);
  });

  it('stay in memory until they are kept, and where they cannot be', async () => {
    const store = memoryFootageStore();
    const broken = { ...store, append: () => Promise.reject(new Error('The disk is full.')) };
    const frames = new RunFrames(broken, 'one', 1);
    for (let index = 0; index < 600; index++) frames.add(frame(index));
    await expect(frames.keep(run)).rejects.toThrow('full');
    expect((await collect(frames.all())).length).toBe(600);
    expect(store.read).toEqual([]);
  });

  it('are given to be kept again where that failed once', async () => {
    const store = memoryFootageStore();
    let isFull = true;
    const append: typeof store.append = (...given) => isFull ? Promise.reject(new Error('The disk is full.')) : store.append(...given); // prettier-ignore
    const frames = new RunFrames({ ...store, append }, 'one');
    frames.add(frame(0));
    await expect(frames.keep(run)).rejects.toThrow('full');
    isFull = false;
    frames.add(frame(1));
    await frames.keep(run);
    await frames.keep({ ...run, isWhole: true });
    expect(store.kept.get('one')).toMatchObject({
      run: { count: 2, last: { index: 1, timeMs: 100 }, isWhole: true },
      frames: [{ index: 0 }, { index: 1 }],
    });
  });

  it('are found by number and time, damaged ones left out', async () => {
    const { frames } = await long();
    const found = [frames.upTo(5), frames.upTo(500), frames.upTo(5000), frames.behind(299), frames.behind(999), frames.upTo(-1)]; // prettier-ignore
    expect((await Promise.all(found)).map((one) => one?.index ?? null)).toEqual([5, 299, 999, 700, null, null]);
    const times = [0, 99, 100, 25_650, 50_000, 70_000, 99_950, 1e9];
    const shown = await Promise.all(times.map((timeMs) => frames.at(timeMs)));
    expect(shown.map((one) => one!.index)).toEqual([0, 0, 1, 256, 299, 700, 999, 999]);
    expect(await frames.at(-1)).toBeNull();
    expect(await new RunFrames(memoryFootageStore(), 'none').at(0)).toBeNull();
  });

  it('go on behind those that another visit kept, whatever another tab added meanwhile', async () => {
    const { store } = await long();
    const { run: before } = store.kept.get('one')!;
    store.kept.get('one')!.frames.push(frame(1000), frame(1001)); // of another tab, which goes on with it too
    const frames = (await RunFrames.of(store, before))!;
    expect([frames.count, frames.last?.index]).toEqual([600, 999]);
    for (const index of [1000, 1001, 1002]) frames.add(frame(index));
    expect((await collect(frames.all())).slice(-4).map(({ index }) => index)).toEqual([999, 1000, 1001, 1002]);
    expect(frames.count).toBe(603);
    expect(await RunFrames.of({ ...store, page: async () => [] }, before)).toBeNull();
    expect(await RunFrames.of({ ...store, page: async () => null }, before)).toBeNull();
  });

  it.each([
    ['the run', (kept: ReturnType<typeof memoryFootageStore>['kept']) => kept.delete('one')],
    [
      'some of its frames',
      (kept: ReturnType<typeof memoryFootageStore>['kept']) => kept.get('one')!.frames.splice(256, 9),
    ],
  ])('say so where %s is gone, instead of giving the rest', async (_, forget) => {
    const { store, frames } = await long();
    forget(store.kept);
    await expect(collect(frames.all())).rejects.toThrow('The results of this run are gone from this browser: run it again.'); // prettier-ignore
  });

  it('are not looked for in vain where the run is gone', async () => {
    const { store, frames } = await long();
    store.kept.delete('one');
    await expect(frames.upTo(5)).rejects.toThrow('are gone');
    expect((await frames.upTo(999))!.index).toBe(999); // still in memory
  });
});
