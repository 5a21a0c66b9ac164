import type { ColorRule } from './color-rule.ts';
import { degreesOf, hueOf, hueSteps, type HueSector } from './machine-hsv.ts';

/**
 * A rule as whole numbers, so that a pixel is tested without a division: a hue is high enough where the difference between
 * the two smaller channels, divided by the chroma, reaches a fraction.
 */
export interface PixelTest {
  /** least value and saturation that pass, in the machine's steps, 1..255 */
  readonly lowestValue: number;
  readonly lowestSaturation: number;
  /** by part, four numbers: the fraction from which hues are in the range, and that from which they are past it */
  readonly bounds: Int16Array;
  /** whether hues outside of the range pass, because the hues in force go through 0° */
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
 * @returns what `markPixels` tests by
 * @example
 * const rule = { hueDeg: 120, tolerance: 0.1, saturationCutoff: 0.2, valueCutoff: 0.3 };
 * const { lowestValue, lowestSaturation, isInverted } = pixelTest(rule);
 * [lowestValue, lowestSaturation, isInverted]; // => [77, 51, false]
 */
export function pixelTest(rule: Omit<ColorRule, 'minAreaPx' | 'label'>): PixelTest {
  const { from, to } = hueRange(rule);
  const isInverted = from > to;
  // In an inverted range the hues between are those that fail.
  const first = isInverted ? firstHue((degrees) => degrees > to) : firstHue((degrees) => degrees >= from);
  const past = isInverted ? firstHue((degrees) => degrees >= from) : firstHue((degrees) => degrees > to);
  return {
    // At least 1, as cut-offs are above 0: black and grey, which have no hue, never pass.
    lowestValue: lowestStep(rule.valueCutoff),
    lowestSaturation: lowestStep(rule.saturationCutoff),
    bounds: Int16Array.from(parts.flatMap((part) => [...fractionOf(part, first), ...fractionOf(part, past)])),
    isInverted,
  };
}

interface Part {
  readonly sector: HueSector;
  readonly lowestOf: (chroma: number) => number;
  readonly highestOf: (chroma: number) => number;
}

/** In the order of their numbers. */
const parts: readonly Part[] = [
  { sector: 0, lowestOf: () => 0, highestOf: (chroma) => chroma },
  { sector: 2, lowestOf: (chroma) => -chroma, highestOf: (chroma) => chroma },
  { sector: 4, lowestOf: (chroma) => -chroma, highestOf: (chroma) => chroma },
  { sector: 0, lowestOf: (chroma) => -chroma, highestOf: () => -1 },
];

/**
 * The least difference / chroma whose hue is high enough. A hue is computed of their quotient alone, and grows with it, so
 * that one fraction says it of every chroma. 2/1, which none reaches: no hue of the part is.
 */
function fractionOf({ sector, lowestOf, highestOf }: Part, hue: number): readonly [over: number, under: number] {
  let [over, under] = [2, 1];
  for (let chroma = 1; chroma < 256; chroma++) {
    const end = highestOf(chroma) + 1;
    const first = bisect(lowestOf(chroma), end, (difference) => hueOf(sector, difference, chroma) >= hue);
    if (first < end && first * under < over * chroma) [over, under] = [first, chroma];
  }
  return [over, under];
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
