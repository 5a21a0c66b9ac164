import { shapeText, type TensorInfo } from '../../../machine/vision/face/feeding.ts';
import type { ModelStructure } from '../structure/model-structure.ts';

/** A kind of model that is neither a detector nor a classifier: how to know one, by shapes and operators, never by its name. */
export interface OtherKind {
  /** kebab-case */
  readonly id: string;
  /** in words that follow "This model" */
  readonly is: string;
  /** what the machine can do with it, one or two sentences */
  readonly machine: string;
  /** what of the structure says so, as a sentence; null where nothing does */
  readonly seen: (model: ModelStructure) => string | null;
}

/** The vision service has no words for it, but the model service hands the tensors out. */
export const tensorsOnly =
  "The machine's vision service gives boxes and classes only; a program gets the tensors of such a model from its ML model service.";

/** Operators that do the same. */
const spellings = {
  Softmax: ['Softmax', 'LogSoftmax', 'LOG_SOFTMAX'],
  Sigmoid: ['Sigmoid', 'HardSigmoid'],
  Norm: ['LpNormalization', 'ReduceL2'],
} as const;

export function has(operators: ReadonlyMap<string, number>, operator: keyof typeof spellings): boolean {
  return spellings[operator].some((name) => operators.has(name));
}

/** The sizes of an output of one picture above 1: [1, 1, 1, 17, 3] has 17 and 3. */
export function longSides(shape: readonly number[]): readonly number[] {
  return shape.slice(1).filter((size) => size !== 1);
}

/** "boxes" 1×4×8400 */
export const named = ({ name, shape }: Pick<TensorInfo, 'name' | 'shape'>): string => `"${name}" ${shapeText(shape)}`;
