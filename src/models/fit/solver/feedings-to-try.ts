import { feedingOptions } from '../interpretations/fit-options.ts';
import { listInputs } from '../interpretations/input-interpretations.ts';
import type { InputInterpretation } from '../interpretations/interpretation.ts';

/**
 * Lists the ways of feeding that labelled pictures decide between: as it would be fed now, and each usual range with red and with blue first. Of
 * two that no picture tells apart there is one.
 * @param present how the model would be fed
 * @param dtype of the model's input; bytes have no range
 * @param areOptions whether options say how it is fed, which know fewer ranges
 * @returns the present one first; all with its border, or without one
 * @example
 * const present = { bgr: false, meanValue: [0, 0, 0], stdDev: [1, 1, 1], fit: 'stretch' };
 * feedingsToTry(present, 'float32', false).length; // => 10
 * feedingsToTry(present, 'uint8', false).map(({ bgr }) => bgr); // => [false, true]
 */
export function feedingsToTry(
  present: InputInterpretation,
  dtype: 'uint8' | 'float32',
  areOptions: boolean,
): readonly InputInterpretation[] {
  const listed: InputInterpretation[] = [];
  for (const { input } of listInputs(present, dtype)) {
    const isSayable = !areOptions || 'values' in feedingOptions(input);
    if (isSayable && !listed.some((other) => isAlike(other, input))) listed.push(input);
  }
  return listed;
}

/** Means that lie two steps of a byte apart, as Caffe's and torchvision's of ImageNet, feed the same picture. */
export const alikeMeans = 2 / 255;

/** Whether a frame has a border is not to be decided here. */
function isAlike(a: InputInterpretation, b: InputInterpretation): boolean {
  return a.bgr === b.bgr && isAlikeRange(a, b);
}

/**
 * Whether two ranges feed a model the same numbers but for what no picture shows.
 * @param a mean and deviation of each channel, of values v / 255
 * @param b the other range
 * @returns true where they are as good as one
 * @example
 * const of = (mean) => ({ meanValue: [mean, mean, mean], stdDev: [1, 1, 1] });
 * isAlikeRange(of(0.5), of(0.505)); // => true
 * isAlikeRange(of(0.5), of(0.51)); // => false
 */
export function isAlikeRange(
  a: Pick<InputInterpretation, 'meanValue' | 'stdDev'>,
  b: Pick<InputInterpretation, 'meanValue' | 'stdDev'>,
): boolean {
  return [0, 1, 2].every(
    (channel) =>
      Math.abs(a.meanValue[channel]! - b.meanValue[channel]!) <= alikeMeans &&
      Math.abs(a.stdDev[channel]! / b.stdDev[channel]! - 1) <= 0.02,
  );
}
