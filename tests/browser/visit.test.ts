import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OpenVideo, StillFrame } from '../../src/platform/ports/frame-source.ts';
import type { SourceStore } from '../../src/platform/ports/source-store.ts';
import { createIdbSourceStore } from '../../src/platform/browser/indexed-db/idb-source-store.ts';
import type { LiveMachineState } from '../../src/app/bench/live-machine/live-machine-state.svelte.ts';
import type { SessionState } from '../../src/app/bench/session/session-state.svelte.ts';
import { SourcesState, type SourcePorts } from '../../src/app/bench/sources/sources-state.svelte.ts';
import { StageViewport } from '../../src/app/kit/picture/stage-viewport.svelte.ts';
import { VisitState } from '../../src/app/bench/visit/visit-state.svelte.ts';
import { memoryStorage } from '../memory-storage.ts';
import { startVisit } from './start-visit.svelte.ts';

const file = (name: string, text = name): File => new File([text], name);
const still = (given: File): StillFrame => ({ name: given.name, blob: () => Promise.resolve(given) });

/** Adds files that were dropped together. */
const give = (sources: SourcesState, files: readonly File[]) => {
  const isVideo = ({ name }: File): boolean => name.endsWith('.mp4');
  const videos = files.filter(isVideo).map((video) => ({ file: video, name: video.name }));
  return sources.add(files.filter((one) => !isVideo(one)).map(still), videos);
};

/** A fake video with its position, and a record of the calls. */
class StillVideo {
  loop = false;
  playing = false;
  positionMs = 0;
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
  seek = async (positionMs: number): Promise<void> => void (this.positionMs = positionMs);
  #announce = (): void => {};
  play = async (): Promise<void> => {
    this.playing = true;
    this.#announce();
  };
  onFrame = (): void => {};
  onStateChange = (listener: () => void): void => void (this.#announce = listener);
  close = (): void => {};
}

describe('a visit', () => {
  let databaseName: string;
  let memory: ReturnType<typeof memoryStorage>;
  let held: Set<string>;
  let ends: (() => void)[];

  beforeEach(() => {
    databaseName = `visits-${crypto.randomUUID()}`;
    memory = memoryStorage();
    held = new Set();
    ends = [];
  });
  afterEach(() => {
    for (const end of ends) end();
    indexedDB.deleteDatabase(databaseName);
  });

  /** Opens a page with a started bench. Leaving it is like a reload. */
  async function page(store: SourceStore = createIdbSourceStore(databaseName)) {
    const ran: string[] = [];
    const session = {
      run: async (image: Blob, { name }: { name: string }) => ran.push(`${name}: ${await image.text()}`) > 0,
      changeSource: () => {},
      sourceFailed: () => {},
      endStream: () => {},
    } as unknown as SessionState;
    const ports = {
      stills: { builtin: async () => [still(file('sample1')), still(file('sample2'))] },
      video: { open: async (_: Blob, name: string) => new StillVideo(name) as unknown as OpenVideo },
    } as unknown as SourcePorts;
    const machine = { isFollowing: false } as LiveMachineState;
    const sources = new SourcesState(ports, session, machine);
    const viewport = new StageViewport();
    const mine = new Set<string>();
    const visits = {
      store,
      hold: async (id: string) => !held.has(id) && !!held.add(id) && !!mine.add(id),
      newId: () => crypto.randomUUID(),
      quotaBytes: async () => 100,
    };
    const visit = new VisitState(visits, memory, sources, viewport);
    const target = new EventTarget();
    const stopListening = visit.listen(target as Window);
    const end = startVisit(visit);
    ends.push(end);
    await expect.poll(() => ran.length + Number(sources.kind === 'video')).toBeGreaterThan(0);
    const settled = async (): Promise<void> => {
      flushSync();
      await expect.poll(() => visit.report.waiting).toBe(0);
    };
    return {
      visit,
      sources,
      viewport,
      ran,
      settled,
      names: () => sources.stills.frames.map(({ name }) => name),
      leave: async () => {
        await settled();
        target.dispatchEvent(new Event('pagehide'));
        stopListening();
        end();
        for (const id of mine) held.delete(id);
      },
    };
  }

  it('brings pictures back in their order, the one that was shown, and the zoom', async () => {
    const first = await page();
    expect(first.names()).toEqual(['sample1', 'sample2']);
    await give(first.sources, [file('a'), file('b')]);
    await give(first.sources, [file('c')]);
    await first.sources.selectStill(1);
    first.viewport.zoom = { scale: 3, centreX: 10, centreY: 20 };
    await expect.poll(() => first.visit.report.copied.length).toBe(3);
    await first.leave();

    const next = await page();
    expect([next.names(), next.ran]).toEqual([['a', 'b', 'c'], ['b: b']]);
    expect(next.viewport.zoom).toEqual({ scale: 3, centreX: 10, centreY: 20 });
    expect([next.visit.missing, next.visit.unnamed]).toEqual([[], 0]);
  });

  it('brings a video back where it stood, over the pictures', async () => {
    const first = await page();
    await give(first.sources, [file('a'), file('b')]);
    await first.sources.selectStill(1);
    await give(first.sources, [file('film.mp4')]);
    await first.sources.video.seek(1234);
    first.sources.video.setLoop(true);
    first.viewport.zoom = { scale: 3, centreX: 10, centreY: 20 };
    await expect.poll(() => first.visit.report.copied.length).toBe(3);
    await first.leave();

    const next = await page();
    expect([next.sources.kind, next.sources.title, next.names()]).toEqual(['video', 'film.mp4', ['a', 'b']]);
    expect([next.sources.stills.index, next.viewport.zoom?.scale]).toEqual([1, 3]);
    await expect.poll(() => next.sources.video.place).toEqual({ positionMs: 1234, playing: true, loop: true });
    await next.sources.selectStill(0);
    await next.leave();
    const third = await page();
    expect([third.sources.kind, third.ran]).toEqual(['stills', ['a: a']]);
    expect(third.sources.video.kept.map(({ name }) => name)).toEqual(['film.mp4']);
    await third.sources.removeVideo(third.sources.video.kept[0]!.file);
    await expect.poll(() => third.visit.report.copied.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('has one’s own pictures and videos behind the samples, each with its way back', async () => {
    const first = await page();
    await give(first.sources, [file('a'), file('b'), file('film.mp4'), file('second.mp4')]);
    await first.sources.showOwn();
    await first.sources.selectStill(1);
    await first.sources.showSamples();
    await expect.poll(() => first.visit.report.copied.length).toBe(4);
    await first.leave();

    const next = await page();
    expect([next.names(), next.ran]).toEqual([['sample1', 'sample2'], ['sample1: sample1']]);
    expect([next.visit.missing, next.sources.video.kept.map(({ name }) => name)]).toEqual([
      [],
      ['film.mp4', 'second.mp4'],
    ]);
    await next.sources.showOwn();
    expect(next.ran.at(-1)).toBe('b: b');
    await next.sources.showVideo(next.sources.video.kept[1]!);
    await next.leave();
    const third = await page();
    expect([third.sources.kind, third.sources.title]).toEqual(['video', 'second.mp4']);
  });

  it('comes back to a sample, and opens no store for it', async () => {
    const first = await page();
    await first.sources.selectStill(1);
    await first.leave();
    expect((await page()).ran).toEqual(['sample2: sample2']);
    expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain(databaseName);
  });

  it('names what has no copy, until it is dropped again, and shows none in its stead with its zoom', async () => {
    const first = await page();
    await give(first.sources, [file('a'), file('large', 'x'.repeat(21)), file('c')]);
    await first.sources.selectStill(1);
    first.viewport.zoom = { scale: 3, centreX: 10, centreY: 20 };
    await expect.poll(() => first.visit.report.leftOut.map(({ name }) => name)).toEqual(['large']);
    await first.leave();

    const next = await page();
    expect([next.names(), next.ran, next.viewport.zoom]).toEqual([['a', 'c'], ['a: a'], null]);
    expect(next.visit.missing.map(({ name }) => name)).toEqual(['large']);
    await next.leave();

    const third = await page();
    expect(third.visit.missing.map(({ name }) => name)).toEqual(['large']);
    await give(third.sources, [file('large')]);
    await third.settled();
    expect([third.names(), third.visit.missing]).toEqual([['a', 'c', 'large'], []]);
  });

  it('has what was dropped together come at one time, however long it took: the first has the room', async () => {
    let nowMs = Date.now();
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => nowMs++);
    const { sources, visit, settled } = await page();
    await give(sources, [file('a', 'x'.repeat(12)), file('b', 'x'.repeat(10))]);
    await settled();
    clock.mockRestore();
    await expect.poll(() => visit.report.copied.map(({ name }) => name)).toEqual(['a']);
    expect(visit.report.leftOut.map(({ name }) => name)).toEqual(['b']);
  });

  it('forgets what is missing when its user does', async () => {
    const first = await page();
    await give(first.sources, [file('a'), file('large', 'x'.repeat(21))]);
    await expect.poll(() => first.visit.report.leftOut.length).toBe(1);
    await first.leave();
    const next = await page();
    next.visit.forgetMissing();
    await next.leave();
    expect((await page()).visit.missing).toEqual([]);
  });

  it('takes the copy of a picture that is removed, and has the samples after the last', async () => {
    const first = await page();
    await give(first.sources, [file('a'), file('b')]);
    await expect.poll(() => first.visit.report.copied.length).toBe(2);
    await first.sources.removeStill(0);
    await expect.poll(() => first.visit.report.copied.map(({ name }) => name)).toEqual(['b']);
    await first.leave();
    const next = await page();
    expect(next.names()).toEqual(['b']);
    await next.sources.removeStill(0);
    await next.leave();
    expect((await page()).names()).toEqual(['sample1', 'sample2']);
  });

  it('is no other tab’s: a second one goes on with the same, and neither takes from the other', async () => {
    const first = await page();
    await give(first.sources, [file('a'), file('b')]);
    await expect.poll(() => first.visit.report.copied.length).toBe(2);
    await first.settled();
    await expect.poll(() => memory.getItem('sightglass:visit')).toContain('"count":2');
    const ofFirst = memory.getItem('sightglass:visit')!;

    const second = await page();
    expect(second.names()).toEqual(['a', 'b']);
    await second.sources.removeStill(0);
    await give(second.sources, [file('c')]);
    await expect.poll(() => second.visit.report.copied.map(({ name }) => name)).toEqual(['b', 'c']);
    await second.leave();
    expect((await page()).names()).toEqual(['b', 'c']);

    await first.leave();
    memory.setItem('sightglass:visit', ofFirst);
    const again = await page();
    expect([again.names(), again.ran, again.visit.missing]).toEqual([['a', 'b'], ['a: a'], []]);
  });

  it('says by name what there was when the browser’s storage was cleared, or is refused', async () => {
    const first = await page();
    await give(
      first.sources,
      Array.from({ length: 102 }, (_, at) => file(`${at}`, '')),
    );
    await expect.poll(() => first.visit.report.copied.length).toBe(102);
    await first.leave();
    indexedDB.deleteDatabase(databaseName);
    const next = await page();
    expect(next.names()).toEqual(['sample1', 'sample2']);
    expect([next.visit.missing.length, next.visit.missing[0]!.name, next.visit.unnamed]).toEqual([100, '0', 2]);

    const refused = { find: () => Promise.reject(new Error('refused')) } as unknown as SourceStore;
    expect((await page(refused)).visit.missing.length).toBe(100);
  });
});
