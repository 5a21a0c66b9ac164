import { describe, expect, it } from 'vitest';
import type { OpenVideo } from '../../../platform/ports/frame-source.ts';
import { BEGINNING, VideoState } from './video-state.svelte.ts';

/** A video state and a player that notes what it is asked; the bench gets ready for the video when `ready` is called. */
function opened(video: Partial<OpenVideo> = {}) {
  const log: string[] = [];
  const player = {
    positionMs: 0,
    playing: false,
    loop: false,
    play: async () => void log.push('play'),
    pause: () => void log.push('pause'),
    step: async (frames: number) => void log.push(`step ${frames}`),
    onStateChange: () => {},
    onFrame: () => {},
    close: () => void log.push('close'),
    ...video,
  } as unknown as OpenVideo;
  const state = new VideoState({ open: async () => player });
  const given = { file: new Blob(), name: 'belt.mp4', place: BEGINNING };
  let ready = () => {};
  const isReady = new Promise<void>((resolve) => (ready = resolve));
  let started = Promise.resolve();
  const asked = new Promise<void>((resolve) => {
    const onOpen = () => (resolve(), isReady);
    started = state.start(given, { onOpen, onFrame: () => {} });
  });
  return { state, log, asked, ready: () => (ready(), started) };
}

describe('a video that opens', () => {
  it('is shown as one that plays before it does, and plays when the bench is ready', async () => {
    const { state, log, asked, ready } = opened();
    await asked;
    expect([state.playing, log]).toEqual([true, []]);
    await ready();
    expect(log).toEqual(['play']);
    expect(state.playing).toBe(false); // as the player says from here on
  });

  it.each([
    ['a press of Pause', (state: VideoState) => state.togglePlay(), ['pause']],
    ['a step', (state: VideoState) => state.step(1), ['pause', 'step 1']],
    ['its removal', async (state: VideoState) => state.release(), ['close']],
  ])('does not play after %s', async (_, act, then) => {
    const { state, log, asked, ready } = opened();
    await asked;
    await act(state);
    expect(state.playing).toBe(false);
    await ready();
    expect([state.playing, log]).toEqual([false, then]);
  });

  it('is not shown as playing where the browser plays nothing by itself', async () => {
    const { state, asked, ready } = opened({ play: () => Promise.reject(new DOMException('', 'NotAllowedError')) });
    await asked;
    await expect(ready()).rejects.toThrow(DOMException);
    expect(state.playing).toBe(false);
  });
});
