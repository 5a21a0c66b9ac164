import { expect, it } from 'vitest';
import { GpuWatch } from './gpu-watch.ts';

const size = { widthPx: 64, heightPx: 48 };

it('compares the first frame of a model and of a size, and every 3,000th after it', () => {
  const watch = new GpuWatch();
  const dueOf = (frames: number, loadNumber: number, of = size, seen = of) =>
    Array.from({ length: frames }, (_, at) => (watch.isDue(loadNumber, of, seen) ? [at] : [])).flat();
  expect(dueOf(7000, 1)).toEqual([0, 3000, 6000]);
  expect(dueOf(2, 2)).toEqual([0]);
  expect(dueOf(2, 2, { ...size, widthPx: 48 })).toEqual([0]);
  expect(dueOf(2, 2, { widthPx: 48, heightPx: 64 })).toEqual([0]);
  expect(dueOf(2, 2, { widthPx: 48, heightPx: 64 }, { widthPx: 24, heightPx: 64 })).toEqual([0]);
  expect(dueOf(2, 2, { widthPx: 48, heightPx: 64 }, { widthPx: 24, heightPx: 32 })).toEqual([0]);
});
