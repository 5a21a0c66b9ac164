import type { ModelStructure } from '../../structure/model-structure.ts';

/** Steps of that size leave a score from 0 to 1 two values at most. */
const largestScoreStep = 0.5;
/** A size as a logarithm, and a place in a cell, go below 0 and beyond 1. */
const largestCut = 1.01;

const mend = 'Convert it again with its last layers, or its output, in float.';

/**
 * Says what an integer output has lost: one scale for boxes and scores keeps only one of them.
 * @param model as its file says
 * @param output name of the tensor that has both
 * @param boxes `offsets`: places in cells and logarithms of sizes; `decoded`: pixels, or shares of the picture
 * @returns a sentence with what to do; null: nothing is lost, as far as the scale tells
 */
export function lostInSteps({ rangeOf }: ModelStructure, output: string, boxes: 'offsets' | 'decoded'): string | null {
  const range = rangeOf(output);
  if (range === null) return null;
  const { low, high, step } = range;
  if (step > largestScoreStep)
    return `Output "${output}" is quantised in steps of ${figure(step)}, for boxes, and its scores from 0 to 1 are lost in them. ${mend}`;
  if (boxes === 'offsets' && low > -largestCut / 100 && high < largestCut)
    return `Output "${output}" is quantised from ${figure(low)} to ${figure(high)}, for scores, and its box numbers, which are below and above that, are cut off. ${mend}`;
  return null;
}

function figure(value: number): string {
  return String(Number(value.toPrecision(3)));
}
