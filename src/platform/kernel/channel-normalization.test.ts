import { expect, it } from 'vitest';
import { randomSource } from '../../../tests/random-frame.ts';
import { normalizedBytes } from '../../machine/vision/preprocess/pack-tensor.ts';
import { normalizationFor, normalizedByte } from './channel-normalization.ts';

function expectEqualToReference(mean: number, stdDev: number): void {
  const way = normalizationFor(mean, stdDev);
  const wrong = [...normalizedBytes(mean, stdDev)].flatMap((expected, byte) =>
    Object.is(normalizedByte(byte, way), expected) ? [] : [byte],
  );
  expect(wrong, `mean ${mean}, deviation ${stdDev}`).toEqual([]);
}

it.each([
  [0, 1, false],
  [0.5, 0.5, false],
  [0.485, 0.25, false],
  [0.485, 0.229, true],
  [0, 1 / 255, true],
  [0, -2, true], // -0, where the reference has 0
])('divides only where that gives other bits: mean %d, deviation %d', (mean, stdDev, divides) => {
  expect(normalizationFor(mean, stdDev).divides).toBe(divides);
  expectEqualToReference(mean, stdDev);
});

it('gives the bits of the reference for any mean and deviation', () => {
  const random = randomSource(20261123);
  for (let round = 0; round < 500; round++) {
    const stdDev = (random() < 0.5 ? 1 : -1) * 2 ** (12 * random() - 9);
    expectEqualToReference(
      random() < 0.2 ? 0 : 2 * random() - 1,
      random() < 0.3 ? 1 / Math.ceil(255 * random()) : stdDev,
    );
  }
});
