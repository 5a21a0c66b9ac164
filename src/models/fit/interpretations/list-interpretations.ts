import { type Tensor, tensorToFloat64 } from '../../../machine/vision/face/feeding.ts';
import type { Outputs } from '../../../machine/vision/face/results.ts';
import { boxOrderWords, sixBoxOrders, type Activation, type DetectionInterpretation } from './interpretation.ts';

type Names = Pick<DetectionInterpretation, 'location' | 'category' | 'score'>;

/** A detector's interpretation, with what it supposes beyond the tensors' names. */
export interface ListedInterpretation {
  readonly output: DetectionInterpretation;
  readonly why: string;
}

/**
 * Lists every way in which raw outputs may be a detector's: the tensors that fit together by shape and type, in each
 * of the six box orders, with and without a background class, with the activation that the scores lack, in fractions
 * and in pixels.
 * @param outputs of one run, by tensor name
 * @returns interpretations, the machine's own way first; []: no two tensors are boxes and scores (a raw head, or no
 *   detector)
 * @example
 * const scores = { dtype: 'float32', shape: [1, 2], data: Float32Array.of(0.1, 0.9) };
 * listInterpretations(new Map([['probability', scores]])); // => []
 */
export function listInterpretations(outputs: Outputs): readonly ListedInterpretation[] {
  const sets = nameSets(outputs);
  return sets.flatMap((names) => {
    const score = outputs.get(names.score)!;
    const classes = classesOf(score, outputs.get(names.location)!);
    const bases = names.category === null && classes > 1 ? ([0, 'background-first'] as const) : ([0] as const);
    return sixBoxOrders.flatMap((boxOrder) =>
      bases.flatMap((classBase) =>
        activationsFor(score, classes).flatMap((activation) =>
          spacesFor(outputs.get(names.location)!).map((space) => ({
            output: {
              kind: 'detections' as const,
              ...names,
              boxOrder,
              boxForm: 'two corners' as const,
              classBase,
              activation,
              space,
            },
            why: [
              ...(sets.length > 1 ? [namesInWords(names)] : []),
              wordsOf(boxOrder, classBase, activation, space),
            ].join(', '),
          })),
        ),
      ),
    );
  });
}

/** Boxes are a float tensor of fours; scores have one number or one a class for each box; categories are whole. */
function nameSets(outputs: Outputs): readonly Names[] {
  const sets: Names[] = [];
  for (const [location, boxes] of outputs) {
    if (!isFloat(boxes) || !areFours(boxes)) continue;
    const count = sizeOf(boxes) / 4;
    const others = [...outputs].filter(([name]) => name !== location);
    for (const [score, tensor] of others) {
      if (!isFloat(tensor) || count === 0 || sizeOf(tensor) % count !== 0) continue;
      if (classesOf(tensor, boxes) > 1) {
        if (tensor.shape.length === 3) sets.push({ location, category: null, score });
        continue;
      }
      const categories = others.filter(([name, other]) => name !== score && sizeOf(other) === count && isWhole(other));
      if (categories.length === 0) sets.push({ location, category: null, score });
      for (const [category] of categories) sets.push({ location, category, score });
    }
  }
  return withRealScores(sets, outputs);
}

/** Whole numbers are classes, not scores, where another tensor may be the scores. */
function withRealScores(sets: readonly Names[], outputs: Outputs): readonly Names[] {
  const real = sets.filter(({ score }) => !isWhole(outputs.get(score)!));
  return real.length > 0 ? real : sets;
}

/** The activations that may bring scores between 0 and 1, where they are not there yet. */
function activationsFor(score: Tensor, classes: number): readonly Activation[] {
  const values = tensorToFloat64(score) ?? new Float64Array();
  const isDone = values.every((value) => value >= -0.001 && value <= 1.001);
  if (isDone) return ['none'];
  return classes > 1 ? ['softmax', 'sigmoid', 'none'] : ['sigmoid', 'none'];
}

/** The machine decides by the first box; the other way is an interpretation only where the numbers leave it open. */
function spacesFor(location: Tensor): readonly DetectionInterpretation['space'][] {
  const values = tensorToFloat64(location) ?? new Float64Array();
  const firstSum = values[0]! + values[1]! + values[2]! + values[3]!;
  const machine = firstSum < 4 ? 'proportional' : 'absolute';
  const meant = meantSpace(location);
  return machine === meant ? ['machine'] : ['machine', meant];
}

/** What the largest coordinate says: boxes may reach a little beyond the frame, and none of pixels is that small. */
export function meantSpace(location: Tensor): 'proportional' | 'absolute' {
  const values = tensorToFloat64(location) ?? new Float64Array();
  return values.reduce((most, value) => Math.max(most, value), 0) <= 2 ? 'proportional' : 'absolute';
}

function namesInWords({ location, category, score }: Names): string {
  return `“${location}” holds boxes, “${score}” scores${category === null ? '' : `, “${category}” classes`}`;
}

function wordsOf(
  boxOrder: DetectionInterpretation['boxOrder'],
  classBase: DetectionInterpretation['classBase'],
  activation: Activation,
  space: DetectionInterpretation['space'],
): string {
  return [
    `boxes are ${boxOrderWords(boxOrder)}`,
    classBase === 'background-first' && 'class 0 is background',
    activation !== 'none' && `scores still need ${activation}`,
    space === 'absolute' && 'boxes are in pixels of the model’s input',
    space === 'proportional' && 'boxes are parts of the frame',
  ]
    .filter((words) => words !== false)
    .join(', ');
}

/** [1,N,4] or [N,4]; [1,4] would as well be four scores. */
function areFours({ shape }: Tensor): boolean {
  return shape.at(-1) === 4 && (shape.length > 2 || (shape.length === 2 && shape[0]! > 1));
}

function classesOf(score: Tensor, location: Tensor): number {
  return sizeOf(score) / (sizeOf(location) / 4);
}

function sizeOf({ shape }: Tensor): number {
  return shape.reduce((product, size) => product * size, 1);
}

function isFloat({ dtype }: Tensor): boolean {
  return dtype === 'float32' || dtype === 'float64' || dtype === 'float16';
}

function isWhole(tensor: Tensor): boolean {
  const values = tensorToFloat64(tensor);
  return values !== null && values.every((value) => Number.isInteger(value) && value >= 0);
}
