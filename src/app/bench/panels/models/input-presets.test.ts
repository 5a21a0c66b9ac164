import { describe, expect, it } from 'vitest';
import { boxOrderName, boxOrderPresets, presetOf } from './input-presets.ts';

describe('input presets', () => {
  it.each([
    [[0.5, 0.5, 0.5], [0.5, 0.5, 0.5], '−1 to 1 (the default)'],
    [[0, 0, 0, 9], [1, 1, 1], '0 to 1'],
    [[0, 0, 0], [0.003921569, 0.003921569, 0.003921569], '0 to 255'],
    [[0.485, 0.456, 0.406], [0.229, 0.224, 0.226], undefined],
  ])('%o %o is %s', (mean, std, expected) => {
    expect(presetOf(mean, std)?.name).toBe(expected);
  });

  it('names every box order as it is', () => {
    for (const { name, order } of boxOrderPresets) expect(boxOrderName(order)).toBe(name);
  });
});
