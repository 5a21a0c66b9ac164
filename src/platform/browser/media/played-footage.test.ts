import { afterAll, expect, it, vi } from 'vitest';
import type { FootagePlace } from '../../ports/footage-frames.ts';
import type { FootageReader, ReadFootageFrame } from '../../ports/footage-reader.ts';
import type { OpenVideo } from '../../ports/frame-source.ts';
import { playedFootage } from './played-footage.ts';

const timesMs = [0, 40, 80, 1000, 1040];
const [usualMs, endMs] = [40, 1080];
let saidMs = endMs;
/** whether the player knows all frames: then it steps to their middle, and stays within the last */
let knowsFrames = false;

/** A player of these frames, which shows the one before at the very start of a frame. */
function player(): OpenVideo {
  let [positionMs, shownMs] = [0, -1];
  let listener: Parameters<OpenVideo['onFrame']>[0] = () => undefined;
  const seek = async (toMs: number): Promise<void> => {
    positionMs = Math.min(toMs, endMs);
    const timestampMs = timesMs.findLast((timeMs) => timeMs < positionMs) ?? 0;
    if (timestampMs === shownMs) return;
    shownMs = timestampMs;
    listener({ close: () => undefined } as ImageBitmap, { name: '', index: 0, timestampMs });
  };
  return {
    durationMs: saidMs,
    get positionMs() {
      return positionMs;
    },
    seek,
    step(frames: number) {
      if (!knowsFrames) return seek(shownMs + (frames + 0.5) * usualMs);
      const wanted = Math.min(timesMs.indexOf(shownMs) + frames, timesMs.length - 1);
      return seek(timesMs[wanted]! + usualMs / 2);
    },
    onFrame: (to: typeof listener) => (listener = to),
    close: () => undefined,
  } as Partial<OpenVideo> as OpenVideo;
}

vi.mock('./video-file.ts', () => ({ createVideoPort: () => ({ open: async () => player() }) }));
afterAll(() => void vi.resetModules()); // test files share modules

async function all(footage: FootageReader, behind: FootagePlace | null): Promise<readonly ReadFootageFrame[]> {
  const frames: ReadFootageFrame[] = [];
  for await (const frame of footage.frames(behind, new AbortController().signal)) frames.push(frame);
  return frames;
}

it.each([
  ['of a known length', endMs, false],
  ['of a length that the file does not say', Infinity, false],
  ['whose frames its player knows', endMs, true],
])('gives all frames of a video %s, also behind one that lasts long', async (_, durationMs, isKnown) => {
  saidMs = durationMs;
  knowsFrames = isKnown;
  const footage = await playedFootage(new Blob(), 'yard.webm', 'f', 'no decoder');
  expect(footage.durationMs).toBe(endMs);
  const whole = await all(footage, null);
  expect(whole.map(({ index, timeMs }) => [index, timeMs])).toEqual([...timesMs.entries()]);
  const rest = await all(footage, { index: 2, timeMs: 80 });
  expect(rest.map(({ index, timeMs }) => [index, timeMs])).toEqual([[3, 1000], [4, 1040]]); // prettier-ignore
});
