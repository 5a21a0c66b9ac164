import { expect, it } from 'vitest';
import { normalizedBytes } from '../../../machine/vision/preprocess/pack-tensor.ts';
import { feedingAttributes } from './fit-configuration.ts';

it('writes the shortest decimals that feed the model the same', () => {
  // NanoDet's, as its training code has them
  const mean = [103.53 / 255, 116.28 / 255, 123.675 / 255] as const;
  const stdDev = [57.375 / 255, 57.12 / 255, 58.395 / 255] as const;
  expect(feedingAttributes({ mean, stdDev, bgr: true })).toEqual({
    input_image_mean_value: [0.406, 0.456, 0.485],
    input_image_std_dev: [0.225, 0.224, 0.229],
    input_image_bgr: true,
  });
});

it('writes as many digits as a float32 needs, which is 9 at most', () => {
  const stdDev = [182 / 255 / 7, 1 / 255, 0.5];
  const { input_image_std_dev: written } = feedingAttributes({ mean: [0, 0, 0], stdDev, bgr: false });
  expect(written).toEqual([0.101960784, 0.003921569, 0.5]);
});

it('changes no value of a tensor, whatever the numbers are', () => {
  for (let number = 1; number < 256; number++) {
    const [mean, deviation] = [number / 255, (256 - number) / 3 / 255];
    const written = feedingAttributes({ mean: [mean, -mean, 0], stdDev: [deviation, 1, 1e-30], bgr: false });
    const [[first, second, zero], [third, one, tiny]] = [written.input_image_mean_value!, written.input_image_std_dev!];
    expect(normalizedBytes(first!, third!)).toEqual(normalizedBytes(mean, deviation));
    expect(normalizedBytes(second!, one!)).toEqual(normalizedBytes(-mean, 1));
    expect(normalizedBytes(zero!, tiny!)).toEqual(normalizedBytes(0, 1e-30));
    expect(String(first).length).toBeLessThanOrEqual(String(mean).length);
  }
});
