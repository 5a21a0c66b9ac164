import type { BoxUnit } from '../../attach/boxes.ts';
import type { ModelStructure } from '../../structure/model-structure.ts';
import type { ChoiceOption } from '../../structure/options.ts';
import { boxUnitOption } from './yolo-options.ts';

/** In what unit a model says its boxes, and what in its graph says so. */
export interface StatedBoxUnit {
  readonly option: ChoiceOption;
  /** a sentence for people; [] where nothing speaks for either unit */
  readonly evidence: readonly string[];
}

/** How far a constant of a file in float16 is from the number that it stands for, at most. */
const halfPrecision = 2 ** -11;

const strides = [8, 16, 32, 64, 128];
const sharesWriter = /tf2onnx|onnx2tf|tensorflow|keras/i;

/**
 * Whether decoded boxes are pixels of the input or shares of it: the constant nearest to the output that is a stride, a side of
 * the input, or one divided by the other, tells. Exports through TensorFlow divide by the sides, and most others do not.
 */
export function statedBoxUnit({ factorsOf, producer, picture }: ModelStructure, output: string): StatedBoxUnit {
  const sides = [picture!.widthPx, picture!.heightPx].filter((side) => side > 0);
  const sidesText = [...new Set(sides)].join(' and ');
  for (const factor of factorsOf(output)) {
    if (
      areAll(
        factor,
        sides.map((side) => 1 / side),
      )
    )
      return stated(
        'proportional',
        `Its boxes are divided by the sides of the input (${sidesText}), so they are shares of it.`,
      );
    if (areAll(factor, sides))
      return stated('pixels', `Its boxes are multiplied by the sides of the input (${sidesText}), so they are pixels.`);
    // One value alone, such as a half, may be anything.
    if (
      factor.length > 1 &&
      areAll(
        factor,
        sides.flatMap((side) => strides.map((stride) => stride / side)),
      )
    )
      return stated(
        'proportional',
        'Its boxes are multiplied by strides as shares of the input, so they are shares of it.',
      );
    if (areAll(factor, strides))
      return stated('pixels', `Its boxes are multiplied by strides (${factor.join(', ')}), so they are pixels.`);
  }
  if (sharesWriter.test(producer))
    return stated(
      'proportional',
      `Written by ${producer}: such exports usually say boxes as shares of the input, and nothing in the graph says otherwise.`,
    );
  return { option: boxUnitOption, evidence: [] };
}

function stated(usual: BoxUnit, why: string): StatedBoxUnit {
  return { option: { ...boxUnitOption, usual }, evidence: [why] };
}

function areAll(values: readonly number[], allowed: readonly number[]): boolean {
  return (
    values.length > 0 &&
    values.every((value) => allowed.some((other) => Math.abs(value - other) <= halfPrecision * Math.abs(other)))
  );
}
