import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import resized from '../../../../../tests/resizes/resized.json' with { type: 'json' };
import type { Raster } from './raster.ts';
import { resample, resamplers, type Resampler } from './resample.ts';

/** The picture of tests/resizes/make-resized.py: noise on a slope, with an edge. */
function seededPicture(widthPx: number, heightPx: number, channels: number): Raster {
  let state = 1n;
  const samples = new Uint8ClampedArray(widthPx * heightPx * channels);
  for (let y = 0, i = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      for (let channel = 0; channel < channels; channel++, i++) {
        state = (state * 1103515245n + 12345n) % 2147483648n;
        const noise = Number(state >> 16n) % 61;
        const slope = (5 * x + 3 * y + 40 * channel) % 195;
        samples[i] = (x + y) % 11 === 0 ? 255 : (x * y) % 13 === 5 ? 0 : slope + noise;
      }
    }
  }
  return { widthPx, heightPx, channels, samples };
}

interface Golden {
  readonly resampler: string;
  readonly from: readonly number[];
  readonly to: readonly number[];
  /** the first, or of floats one out of `every` */
  readonly samples: readonly number[];
  readonly every?: number;
  /** digest of all bytes; floats have none */
  readonly sha256?: string;
}

describe('resample', () => {
  it.each(resamplers)('makes what %s makes, to the sample', (name: Resampler) => {
    const cases = (resized.cases as readonly Golden[]).filter(({ resampler }) => resampler === name);
    expect(cases.length).toBeGreaterThan(20);
    for (const { from, to, samples, sha256, every = 1 } of cases) {
      const made = resample(seededPicture(from[0]!, from[1]!, from[2]!), to[0]!, to[1]!, name).samples;
      const some = samples.map((_, at) => made[at * every]!);
      const sized = `${from.join('×')} to ${to.join('×')}`;
      if (sha256 === undefined) {
        for (const [at, sample] of samples.entries()) expect(some[at], sized).toBeCloseTo(sample, 2);
        continue;
      }
      expect(some, sized).toEqual(samples);
      expect(createHash('sha256').update(made).digest('hex').slice(0, 16), sized).toBe(sha256);
    }
  });
});
