import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { OpenVideo } from '../../ports/frame-source.ts';
import { createVideoPort } from './video-file.ts';

/** A player that is where it is sought at once, and presents what a test tells it, when it is told. */
class LatePlayer extends EventTarget {
  readonly seeksS: number[] = [];
  paused = true;
  readonly ended = false;
  readonly seeking = false;
  readonly duration = 2;
  readonly videoWidth = 64;
  readonly videoHeight = 48;
  readonly readyState = 4;
  #callbacks = new Map<number, VideoFrameRequestCallback>();
  #asked = 0;

  set src(_: string) {
    queueMicrotask(() => {
      this.present(0);
      this.dispatchEvent(new Event('loadeddata'));
    });
  }
  get currentTime(): number {
    return this.seeksS.at(-1) ?? 0;
  }
  set currentTime(timeS: number) {
    this.seeksS.push(timeS);
    queueMicrotask(() => this.dispatchEvent(new Event('seeked')));
  }
  requestVideoFrameCallback(callback: VideoFrameRequestCallback): number {
    this.#callbacks.set(++this.#asked, callback);
    return this.#asked;
  }
  cancelVideoFrameCallback(asked: number): void {
    this.#callbacks.delete(asked);
  }
  present(mediaTime: number): void {
    const callbacks = [...this.#callbacks.values()];
    this.#callbacks.clear();
    for (const callback of callbacks) callback(0, { mediaTime } as VideoFrameCallbackMetadata);
  }
  async play(): Promise<void> {
    this.paused = false;
  }
  pause(): void {
    this.paused = true;
  }
  removeAttribute(): void {}
  load(): void {}
}

let player: LatePlayer;
let page: { hidden: boolean };
let video: OpenVideo;
const shown: number[] = [];

beforeEach(async () => {
  vi.useFakeTimers();
  player = new LatePlayer();
  page = { hidden: false };
  vi.stubGlobal('document', Object.assign(page, { createElement: () => player }));
  vi.stubGlobal('HTMLMediaElement', { HAVE_NOTHING: 0, HAVE_CURRENT_DATA: 2 });
  vi.stubGlobal('VideoFrame', class {});
  // Twenty frames, ten a second.
  await open(new Blob([readFileSync('tests/engines/fixtures/even.mp4')]), 'even.mp4');
});

async function open(file: Blob, name: string): Promise<void> {
  video = await createVideoPort().open(file, name);
  video.onFrame((_, { index }) => shown.push(index));
}

afterEach(() => {
  video.close();
  shown.length = 0;
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('waits for the frame of a step, and seeks it again where only the one before was presented', async () => {
  const step = video.step(1);
  await vi.advanceTimersByTimeAsync(100);
  player.present(0);
  await vi.advanceTimersByTimeAsync(3000);
  expect([shown, player.seeksS.length]).toEqual([[0], 2]);
  player.present(0.1);
  await step;
  expect(shown).toEqual([0, 1]);
});

it('says so where the frame of a step is never presented, and shows it with its number once it is', async () => {
  const step = video.step(1).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(100);
  player.present(0);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await step).toMatchObject({ code: 'not-readable', message: expect.stringContaining('0.15 s of "even.mp4"') });
  expect([shown, player.seeksS.length]).toEqual([[0], 3]);
  player.present(0.1);
  expect(shown).toEqual([0, 1]);
  const next = video.step(1);
  await vi.advanceTimersByTimeAsync(100);
  player.present(0.2);
  await next;
  expect(shown).toEqual([0, 1, 2]);
});

it('waits for no frame on a page that is hidden meanwhile', async () => {
  const step = video.step(1);
  await vi.advanceTimersByTimeAsync(100);
  page.hidden = true;
  await vi.advanceTimersByTimeAsync(60_000);
  await step;
  expect([shown, player.seeksS.length]).toEqual([[0, 1], 1]);
});

it('takes a frame for the one before where a file lists none and no other is presented: it lasts longer', async () => {
  video.close();
  shown.length = 0;
  player = new LatePlayer();
  await open(new Blob(['no table']), 'uneven.webm');
  const step = video.step(1);
  await vi.advanceTimersByTimeAsync(100);
  for (const timeS of [0, 0.1, 0.2, 0.3, 0.4]) player.present(timeS); // while it measures their gaps
  await vi.advanceTimersByTimeAsync(60_000);
  await step;
  expect(shown).toEqual([0]);
});
