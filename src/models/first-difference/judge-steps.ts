import { TensorProto_DataType } from '../../gen/onnx_pb.ts';
import type { Tensor } from '../../machine/vision/face/feeding.ts';
import type { AlignedSides, AlignedStep } from './align-sides.ts';
import type { RoundingBound, TensorPair, Tensors } from './first-difference.ts';
import { addedUp, quantisedBound, roundingBound } from './rounding-bound.ts';
import { differenceOf, isBeyond } from './tensor-difference.ts';

/** One step's results on both sides. */
export interface JudgedStep {
  readonly step: AlignedStep;
  /** among the steps, from 0 */
  readonly place: number;
  readonly outputs: readonly TensorPair[];
  /** index of the output that differs most against its bound; -1: no output can be judged */
  readonly worst: number;
  readonly isBeyond: boolean;
}

/**
 * Compares a step's results on both sides against what its nodes may round.
 * @param fed values of what the reference was fed, by name
 * @param reference its results, by name; a result that is missing is not judged
 */
export function judgeStep(
  sides: AlignedSides,
  place: number,
  fed: Tensors,
  reference: Tensors,
  other: Tensors,
): JudgedStep {
  const step = sides.steps[place]!;
  const outputs = step.outputs.flatMap((name) => {
    const [a, b] = [reference[name], other[name]];
    if (!a || !b || a.dtype === 'string') return [];
    const bound = boundOf(sides, step, fed, a, b);
    return bound ? [pairOf(name, sides.otherName(name), a, b, bound)] : [];
  });
  const excess = outputs.map(
    ({ difference: { largest }, bound }) => largest / Math.max(bound.absolute, Number.MIN_VALUE),
  );
  return {
    step,
    place,
    outputs,
    worst: excess.length === 0 ? -1 : excess.indexOf(Math.max(...excess)),
    isBeyond: outputs.some(({ difference, bound }) => isBeyond(difference, bound)),
  };
}

export function pairOf(
  name: string,
  otherName: string,
  reference: Tensor,
  other: Tensor,
  bound: RoundingBound,
): TensorPair {
  return { name, otherName, reference, other, bound, difference: differenceOf(reference, other, bound) };
}

function boundOf(
  sides: AlignedSides,
  step: AlignedStep,
  fed: Tensors,
  reference: Tensor,
  other: Tensor,
): RoundingBound | null {
  if (sides.isQuantised && reference.dtype.startsWith('float')) return quantisedBound(reference);
  const isHalf = reference.dtype === 'float16' || other.dtype === 'float16' || hasHalf(sides);
  const of = (side: 'reference' | 'other') =>
    step[side].map((place) => {
      const node = sides[side].nodes[place]!;
      const inputs = node.input.map((name) => fed[name] ?? sides[side].weight(name));
      return roundingBound({ node, inputs, output: reference, isHalf });
    });
  const here = of('reference');
  const there = sides.reference === sides.other ? here : of('other');
  if ([...here, ...there].includes(null)) return null;
  const [a, b] = [addedUp(here as RoundingBound[]), addedUp(there as RoundingBound[])];
  // A side whose part has no node of its own only renames.
  if (here.length === 0 || there.length === 0) return here.length === 0 ? b : a;
  return b.absolute > a.absolute || b.relative > a.relative ? b : a;
}

const halves = new WeakMap<AlignedSides, boolean>();
/** Whether one of two different files has weights in float16 and the other has not. */
function hasHalf(sides: AlignedSides): boolean {
  let found = halves.get(sides);
  if (found === undefined) {
    const of = ({ model }: AlignedSides['other']) =>
      model.graph.initializer.some(({ dataType }) => dataType === TensorProto_DataType.FLOAT16);
    halves.set(sides, (found = of(sides.reference) !== of(sides.other)));
  }
  return found;
}
