import { describe, expect, it } from 'vitest';
import { colorOfPatch } from './color-of-patch.ts';

const at = (red: number, green: number, blue: number): number => red + 256 * green + 65536 * blue;
const whole = (pixels: readonly number[]) => ({ xMin: 0, yMin: 0, xMax: pixels.length, yMax: 1 });
const colorOf = (...pixels: readonly number[]) =>
  colorOfPatch(Uint32Array.from(pixels), pixels.length, 1, whole(pixels));

describe('colorOfPatch', () => {
  it('takes a pixel that is there, of the middle hue and the most colourful', () => {
    const pixels = [at(200, 0, 0), at(200, 20, 0), at(200, 40, 0), at(100, 20, 0), at(250, 25, 0)];
    expect(colorOf(...pixels)).toMatchObject({ red: 250, green: 25, blue: 0 });
  });

  it('goes through 0°', () => {
    const color = colorOf(at(255, 0, 40), at(255, 0, 20), at(255, 2, 0), at(255, 20, 0), at(255, 40, 0));
    expect(color).toMatchObject({ red: 255, green: 2, blue: 0 });
    // 10° either way, with 4° to spare.
    expect(color!.tolerance).toBeGreaterThan((2 * 13) / 360);
    expect(color!.tolerance).toBeLessThan((2 * 15) / 360);
  });

  it('has the spread of the hues as tolerance, at most all of them', () => {
    expect(colorOf(at(255, 0, 0))!.tolerance).toBeCloseTo(8 / 360, 6);
    const round = [at(255, 0, 0), at(255, 255, 0), at(0, 255, 0), at(0, 255, 255), at(0, 0, 255), at(255, 0, 255)];
    expect(colorOf(...round)!.tolerance).toBe(1);
  });

  it('leaves out grey, and says how pale and dark the rest is', () => {
    expect(colorOf(at(90, 90, 90), at(0, 0, 0))).toBeNull();
    const color = colorOf(at(90, 90, 90), at(100, 50, 50));
    expect(color).toMatchObject({ red: 100, saturation: 127 / 255, value: 100 / 255 });
  });

  it('says no more than the colour itself reaches', () => {
    // All others are darker, and more colourful, of hues further from the middle.
    const others = Array.from({ length: 12 }, (_, step) => [at(54, 0, 5 + step), at(54, 5 + step, 0)]).flat();
    const color = colorOf(...others, at(255, 200, 200));
    expect(color).toMatchObject({ red: 255, green: 200, blue: 200, saturation: 55 / 255, value: 54 / 255 });
  });

  it('takes at least one pixel, and none beside the picture', () => {
    const pixels = Uint32Array.of(at(255, 0, 0), at(0, 255, 0), at(0, 0, 255), at(255, 255, 0));
    const taken = (xMin: number, yMin: number, xMax = xMin, yMax = yMin) => {
      const { red, green, blue } = colorOfPatch(pixels, 2, 2, { xMin, yMin, xMax, yMax })!;
      return [red, green, blue];
    };
    expect(taken(0, 0)).toEqual([255, 0, 0]);
    expect(taken(1.7, 1.2)).toEqual([255, 255, 0]);
    expect(taken(-5, -5)).toEqual([255, 0, 0]);
    expect(taken(9, 9, 12, 12)).toEqual([255, 255, 0]);
  });
});
