import type { ColorRule } from './color-rule.ts';
import { degreesOf, hueOf, hueSteps, type HueSector } from './machine-hsv.ts';

/**
 * A rule as whole numbers, so that a pixel is tested without a division. For a chroma and a sector, the hues that pass
 * are those of a range of the difference between the two smaller channels.
 */
export interface PixelTest {
  /** by value: the chroma from which a pixel is saturated enough; 256 where the value is too low */
  readonly lowestChroma: Int16Array;
  /** by `256 * part + chroma`: the first difference of the range, and how many more there are */
  readonly from: Int16Array;
  readonly more: Int16Array;
  /** what lies outside of the ranges passes, because the hues in force go through 0° */
  readonly isInverted: boolean;
}

/** Parts of the turn: the three sectors, and red's hues below 360°, which come last though they belong to red. */
export const [redPart, greenPart, bluePart, belowRedPart] = [0, 1, 2, 3] as const;

/** First and last hue that a rule lets pass, in degrees; `from` > `to`: through 0°. */
export interface HueRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Computes the hues that pass: half of the tolerance on either side (`vision/objectdetection/color_detector.go`).
 * @param rule a colour detector's attributes
 * @returns degrees, both ends included
 * @example
 * hueRange({ hueDeg: 10, tolerance: 0.25 }); // => { from: 325, to: 55 }
 * hueRange({ hueDeg: 10, tolerance: 1 }); // => { from: 0, to: 360 }
 */
export function hueRange({ hueDeg, tolerance }: Pick<ColorRule, 'hueDeg' | 'tolerance'>): HueRange {
  if (tolerance === 1) return { from: 0, to: 360 };
  const side = (tolerance / 2) * 360;
  const [from, to] = [hueDeg - side, hueDeg + side];
  return { from: from < 0 ? from + 360 : from, to: to >= 360 ? to - 360 : to };
}

/**
 * Turns a rule into whole numbers that decide exactly as the machine's floating-point comparisons.
 * @param rule a colour detector's attributes
 * @returns tables for `findBlobs`
 * @example
 * const rule = { hueDeg: 120, tolerance: 0.1, saturationCutoff: 0.2, valueCutoff: 0.3 };
 * const { lowestChroma, isInverted } = pixelTest(rule);
 * [lowestChroma[76], lowestChroma[77], lowestChroma[255], isInverted]; // => [256, 16, 51, false]
 */
export function pixelTest(rule: Omit<ColorRule, 'minAreaPx' | 'label'>): PixelTest {
  const { from, to } = hueRange(rule);
  const isInverted = from > to;
  // Of an inverted range the hues between are those that fail.
  const first = isInverted ? firstHue((degrees) => degrees > to) : firstHue((degrees) => degrees >= from);
  const end = isInverted ? firstHue((degrees) => degrees >= from) : firstHue((degrees) => degrees > to);
  const table = { from: new Int16Array(4 * 256), more: new Int16Array(4 * 256).fill(-1) };
  for (const [part, sector, isBelow] of parts) {
    for (let chroma = 1; chroma < 256; chroma++) {
      const [lowest, highest] = isBelow ? [-chroma, -1] : [sector === 0 ? 0 : -chroma, chroma];
      const firstIn = (hue: number) =>
        bisect(lowest, highest + 1, (difference) => hueOf(sector, difference, chroma) >= hue);
      const at = 256 * part + chroma;
      table.from[at] = firstIn(first);
      table.more[at] = firstIn(end) - 1 - table.from[at]!;
    }
  }
  return { lowestChroma: lowestChromas(rule), ...table, isInverted };
}

const parts: readonly (readonly [part: number, sector: HueSector, isBelow: boolean])[] = [
  [redPart, 0, false],
  [greenPart, 2, false],
  [bluePart, 4, false],
  [belowRedPart, 0, true],
];

function lowestChromas({
  saturationCutoff,
  valueCutoff,
}: Pick<ColorRule, 'saturationCutoff' | 'valueCutoff'>): Int16Array {
  const [lowestSaturation, lowestValue] = [lowestStep(saturationCutoff), lowestStep(valueCutoff)];
  return Int16Array.from({ length: 256 }, (_, value) => {
    // A saturation is cut off to whole steps: it is high enough where 255 · chroma / value is. Grey never is.
    return value < lowestValue ? 256 : Math.max(1, Math.ceil((lowestSaturation * value) / 255));
  });
}

/** The first hue in steps whose degrees are high enough. */
function firstHue(isEnough: (degrees: number) => boolean): number {
  return bisect(0, hueSteps + 1, (hue) => isEnough(degreesOf(hue)));
}

/** The lowest of 0..255 that is not below a cut-off of 0..1; 256: none is. */
function lowestStep(cutoff: number): number {
  return bisect(0, 256, (step) => step / 255 >= cutoff);
}

/** The first whole number of a range for which a condition holds that holds for all after it; `end`: for none. */
function bisect(start: number, end: number, holds: (value: number) => boolean): number {
  let [low, high] = [start, end];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
