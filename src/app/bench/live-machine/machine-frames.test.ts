import { expect, it, onTestFinished, vi } from 'vitest';
import { linkPretended } from '../../../../tests/live-machine-fixture.ts';
import { LinkError } from '../../../remote/live-machine/link-error.ts';
import type { LiveMachine } from '../../../remote/live-machine/live-machine.ts';
import type { FrameInfo } from '../../../machine/vision/frame/frame-info.ts';
import { deferred } from '../../../../tests/deferred.ts';
import { MachineFrames, type WatchedCamera } from './machine-frames.svelte.ts';

/** Time that goes on when a test says so. */
function heldClock(nowMs: number) {
  const tasks = new Set<{ readonly atMs: number; readonly run: () => void }>();
  return {
    nowMs: () => nowMs,
    after(ms: number, run: () => void) {
      const task = { atMs: nowMs + ms, run };
      tasks.add(task);
      return () => void tasks.delete(task);
    },
    wait: () => Promise.resolve(),
    pass(ms: number): void {
      nowMs += ms;
      for (const task of [...tasks].filter(({ atMs }) => atMs <= nowMs)) {
        tasks.delete(task);
        task.run();
      }
    },
  };
}

/** A machine whose camera gives a frame whenever a test lets it; it never says that it stopped. */
function haltingMachine() {
  const pretended = linkPretended({});
  const waiting: (() => void)[] = [];
  const machine: LiveMachine = {
    ...pretended,
    images: async (name, signal) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return pretended.images(name, signal);
    },
  };
  return { machine, isAsked: () => waiting.length > 0, give: () => waiting.shift()!() };
}

const watched = (machine: LiveMachine) => ({
  machine,
  cameraName: 'cam',
  visionName: '',
  abilities: null,
  frameName: 'cam',
});

it('waits once two seconds went by without a frame, from the last one on, until the next', async () => {
  const clock = heldClock(1_000);
  const frames = new MachineFrames(() => {}, clock);
  const { machine, isAsked, give } = haltingMachine();
  let shown = 0;
  await frames.follow(watched(machine), async () => void shown++);
  await expect.poll(isAsked).toBe(true);
  clock.pass(1_000);
  give();
  await expect.poll(() => shown === 1 && isAsked()).toBe(true);
  clock.pass(1_999);
  expect(frames.waitsSinceMs).toBeNull();
  clock.pass(1);
  expect(frames.waitsSinceMs).toBe(2_000);
  clock.pass(60_000);
  expect([frames.waitsSinceMs, frames.isFollowing]).toEqual([2_000, true]);
  give();
  await expect.poll(() => shown).toBe(2);
  expect(frames.waitsSinceMs).toBeNull();
  clock.pass(2_000);
  expect(frames.waitsSinceMs).toBe(64_000);
  frames.stop();
  expect(frames.waitsSinceMs).toBeNull();
  clock.pass(5_000);
  expect(frames.waitsSinceMs).toBeNull();
});

it('does not wait for the machine while a frame of it is with the model here', async () => {
  const clock = heldClock(0);
  const frames = new MachineFrames(() => {}, clock);
  const { machine, isAsked, give } = haltingMachine();
  let finish: () => void = () => {};
  let isShowing = false;
  await frames.follow(watched(machine), () => {
    isShowing = true;
    return new Promise((resolve) => (finish = resolve));
  });
  await expect.poll(isAsked).toBe(true);
  give();
  await expect.poll(() => isShowing).toBe(true);
  clock.pass(9_000);
  expect(frames.waitsSinceMs).toBeNull();
  finish();
  await expect.poll(() => (clock.pass(1_000), frames.waitsSinceMs)).toBe(0);
  frames.stop();
});

it('measures pictures, and follows when their bytes change by a quarter', async () => {
  const pretended = linkPretended({});
  const lengths = [1000, 1200, 1400, 1200];
  const waiting: (() => void)[] = [];
  const machine: LiveMachine = {
    ...pretended,
    images: async (name, signal) => {
      const [first, ...more] = await pretended.images(name, signal);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return [{ ...first!, bytes: new Uint8Array(lengths.shift()!) }, ...more];
    },
  };
  const frames = new MachineFrames(() => {});
  expect(frames.pictureBytes).toBeNull();
  const seen: (number | null)[] = [];
  await frames.follow(watched(machine), async () => void seen.push(frames.pictureBytes));
  for (const count of [1, 2, 3, 4]) {
    await expect.poll(() => waiting.length).toBe(1);
    waiting.shift()!();
    await expect.poll(() => seen.length).toBe(count);
  }
  expect(seen).toEqual([1000, 1000, 1400, 1400]);
  frames.stop();
  expect(frames.pictureBytes).toBeNull();
});

it('does not say that it waits for a frame that it does not ask for again', async () => {
  const clock = heldClock(0);
  const frames = new MachineFrames(() => {}, clock);
  const lost = new LinkError('no-answer', 'gone', 'wait');
  const machine = { ...linkPretended({}), captureAll: () => Promise.reject(lost) };
  const abilities = { classifies: false, detects: true, defaultCamera: 'cam' };
  const camera = { ...watched(machine), visionName: 'v', abilities };
  await expect(frames.follow(camera, async () => {})).rejects.toBe(lost);
  clock.pass(9_000);
  expect([frames.isFollowing, frames.waitsSinceMs]).toEqual([false, null]);
});

it('asks a lost machine again as soon as this computer is online', async () => {
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.useFakeTimers(); // no interval between two attempts ends by itself
  onTestFinished(() => void vi.useRealTimers());
  const pretended = linkPretended({});
  let [asked, isLost] = [0, true];
  const machine: LiveMachine = {
    ...pretended,
    async images(name, signal) {
      asked++;
      if (isLost) throw new LinkError('no-answer', 'gone', 'wait');
      return pretended.images(name, signal);
    },
  };
  const frames = new MachineFrames(() => {});
  let shown = 0;
  await frames.follow(watched(machine), async () => (shown++, frames.stop()));
  await vi.waitFor(() => expect(frames.waitsSinceMs).not.toBeNull());
  page.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(asked).toBe(2));
  isLost = false;
  page.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(shown).toBe(1));
});

/** A machine whose camera and service answer when told, with pictures of one byte. */
function slowMachine() {
  const [camera, service] = [deferred<number>(), deferred<number>()];
  const image = (byte: number) => ({
    sourceName: '',
    mediaType: 'image/png',
    bytes: Uint8Array.of(byte),
    capturedAtMs: null,
  });
  const machine: LiveMachine = {
    ...linkPretended({}),
    images: async () => [image(await camera.promise)],
    captureAll: async () => ({ image: image(await service.promise), detections: [], classifications: null }),
  };
  const abilities = { classifies: false, detects: true, defaultCamera: 'cam' };
  return { camera, service, watched: { ...watched(machine), visionName: 'v', abilities } };
}

/** The byte and the number of each frame, while they come. */
function shownBy(frames: MachineFrames, camera: WatchedCamera, count: number): Promise<readonly string[]> {
  const shown: string[] = [];
  return new Promise((resolve, reject) => {
    const show = async (image: Blob, { index }: FrameInfo): Promise<void> => {
      shown.push(`${new Uint8Array(await image.arrayBuffer())[0]} as ${index}`);
      if (shown.length < count) return;
      frames.stop();
      resolve(shown);
    };
    frames.follow(camera, show).catch(reject);
  });
}

it('shows a picture of the camera before its service has run, under a number of its own', async () => {
  const frames = new MachineFrames(() => {});
  const { camera, service, watched: slow } = slowMachine();
  const shown = shownBy(frames, slow, 3);
  camera.resolve(7);
  await expect.poll(() => frames.waitsSinceMs).toBeNull();
  await expect.poll(() => frames.isFollowing).toBe(true);
  await new Promise((resolve) => setImmediate(resolve));
  service.resolve(8);
  expect(await shown).toEqual(['7 as 0', '8 as 1', '8 as 1']);
});

it('shows no such picture once the service has answered', async () => {
  const frames = new MachineFrames(() => {});
  const { camera, service, watched: slow } = slowMachine();
  const shown = shownBy(frames, slow, 2);
  service.resolve(8);
  await new Promise((resolve) => setImmediate(resolve));
  camera.resolve(7);
  expect(await shown).toEqual(['8 as 0', '8 as 0']);
});
