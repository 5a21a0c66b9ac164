import { describe, expect, it } from 'vitest';
import { colorCase } from '../../../../tests/oracle/cases/color-cases.ts';
import type { Frame } from '../frame/frame.ts';
import { colorVerdict, lookAtColors } from './look-at-colors.ts';
import { machinePixels } from './machine-pixels.ts';
import { markPixels } from './mark-pixels.ts';
import { pixelTest } from './pixel-test.ts';

const rule = { hueDeg: 0, tolerance: 0.1, saturationCutoff: 0.2, valueCutoff: 0.3, minAreaPx: 50, label: 'red' };
const frameOf = (...colors: readonly (readonly [number, number, number])[]): Frame => ({
  format: 'rgba8',
  widthPx: colors.length,
  heightPx: 1,
  samples: Uint8ClampedArray.from(colors.flatMap((color) => [...color, 255])),
});

describe('lookAtColors', () => {
  it('says what each pixel fails first', () => {
    const frame = frameOf([255, 0, 0], [200, 190, 190], [40, 0, 0], [0, 255, 0], [0, 0, 0], [255, 0, 255]);
    const { colors } = lookAtColors(frame, { rule, patch: null });
    const { passes, saturation, value, hue } = colorVerdict;
    expect([...colors!.mask.verdicts]).toEqual([passes, saturation, value, hue, saturation, hue]);
    expect(colors!.verdicts).toEqual([1, 2, 1, 2]);
    expect([colors!.hue[0], colors!.hue[120], colors!.hue[299]]).toEqual([1, 1, 1]);
    expect([colors!.saturation[63], colors!.value[0]]).toEqual([4, 1]);
  });

  it('lets exactly those pixels pass that the detector takes', () => {
    for (let number = 0; number < 60; number++) {
      const { frame } = colorCase(21, number);
      const wide = { ...rule, hueDeg: (number * 37) % 360, tolerance: [0.05, 0.4, 1][number % 3]! };
      const { colors } = lookAtColors(frame, { rule: wide, patch: null });
      const test = pixelTest(wide);
      const pixels = machinePixels(frame);
      const expected = [...pixels].map((pixel) => markPixels(Uint32Array.of(pixel), 1, test)[0]);
      expect([...colors!.mask.verdicts].map((verdict) => (verdict === 0 ? 1 : 0))).toEqual(expected);
    }
  });

  it('counts both ends of the hues, also through 0°', () => {
    const red = frameOf([255, 0, 0]);
    const verdictOf = (hueDeg: number, tolerance: number) =>
      lookAtColors(red, { rule: { ...rule, hueDeg, tolerance }, patch: null }).colors!.mask.verdicts[0];
    expect([verdictOf(315, 0.25), verdictOf(45, 0.25), verdictOf(0, 1e-9)]).toEqual([0, 0, 0]);
    expect([verdictOf(314.9, 0.25), verdictOf(45.1, 0.25)]).toEqual([colorVerdict.hue, colorVerdict.hue]);
  });

  it('reduces the mask of a large picture, and keeps the areas of all groups', () => {
    const widthPx = 1300;
    const samples = new Uint8ClampedArray(4 * widthPx * 4).map((_, i) => (i % 4 === 0 || i % 4 === 3 ? 255 : 0));
    const { colors } = lookAtColors({ format: 'rgba8', widthPx, heightPx: 4, samples }, { rule, patch: null });
    expect([colors!.mask.widthPx, colors!.mask.heightPx, colors!.mask.verdicts.length]).toEqual([434, 2, 868]);
    expect(colors!.areas).toEqual([1299 * 3]);
  });

  it('takes the colour of a patch, also where there is no rule', () => {
    const patch = { xMin: 1, yMin: 0, xMax: 2, yMax: 1 };
    expect(lookAtColors(frameOf([255, 0, 0], [0, 0, 200]), { rule: null, patch })).toMatchObject({
      colors: null,
      patch: { red: 0, green: 0, blue: 200 },
    });
  });
});
