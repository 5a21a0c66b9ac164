import { expect, it } from 'vitest';
import { readFrames, writeFrames, type NamedFrame } from './seen-frames-text.ts';

const labels = ['cat', 'Hund “é”'];
const frames = Array.from({ length: 5 }, (_, at): NamedFrame => [
  `${at} film`,
  'film',
  {
    detections: {
      count: 2,
      labels,
      labelIndex: Uint32Array.of(1, 0),
      score: Float64Array.of(Math.fround(0.1 * at), 1 / 3),
    },
    classifications: at === 0 ? { labels, score: Float64Array.of(NaN, -0.5) } : null,
  },
]);

it('brings frames back to the last bit', () => {
  expect(readFrames(writeFrames(frames, 1e6))).toEqual(frames);
});

it('keeps the newest where there is too little room for all', () => {
  const text = writeFrames(frames, 500);
  expect(text.length).toBeLessThan(550);
  const kept = readFrames(text);
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.length).toBeLessThan(5);
  expect(kept).toEqual(frames.slice(-kept.length));
});

it.each(['', '7', '{}', '{"lists":[],"frames":[{"detections":[0,"?","?"]}]}'])('takes nothing of %j', (text) => {
  expect(readFrames(text)).toEqual([]);
});
