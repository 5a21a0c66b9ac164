import type { BoxOrder } from '../../../machine/vision/face/results.ts';

/**
 * One way in which a model may be meant: what is fed, and which numbers are what. Interpretations are data: they are listed
 * (`listInterpretations`), judged against what a run gave (`judgeDetections`, `judgeClasses`, `agreement`), ranked
 * (`rankInterpretations`), and turned into configuration (`editsOf`). A hypothesis about what is wrong with a model is a
 * interpretation that differs in one field, with its words in `why`.
 */
export interface Interpretation {
  readonly input: InputInterpretation;
  readonly output: OutputInterpretation;
  /** what this interpretation supposes, in words that follow "if": "boxes are x, y, x, y"; '' = the machine's as configured */
  readonly why: string;
}

/** How a frame becomes the model's numbers. */
export interface InputInterpretation {
  readonly bgr: boolean;
  /** by output channel, of values v / 255 */
  readonly meanValue: readonly number[];
  readonly stdDev: readonly number[];
  /** stretched, as the machine does, or kept in shape with a margin, which no configuration says */
  readonly fit: 'stretch' | 'letterbox';
}

export type OutputInterpretation = DetectionInterpretation | ClassInterpretation;

/** Which tensors are boxes, and what their numbers mean. */
export interface DetectionInterpretation {
  readonly kind: 'detections';
  readonly location: string;
  /** null = the category is inside the scores, or there is only one */
  readonly category: string | null;
  readonly score: string;
  readonly boxOrder: BoxOrder;
  readonly boxForm: BoxForm;
  /** unit of the coordinates: shares of the frame, or pixels of the model's input; 'machine' = as the machine decides, by the first box */
  readonly space: 'proportional' | 'absolute' | 'machine';
  readonly activation: Activation;
  readonly classBase: ClassBase;
}

/**
 * What the four numbers of a box are; in the last two, those that an order calls max are width and height. The machine
 * knows two corners only.
 */
export type BoxForm = 'two corners' | 'centre and size' | 'corner and size';

/** Which tensor is the list of classes. */
export interface ClassInterpretation {
  readonly kind: 'classifications';
  readonly probability: string;
  readonly activation: Activation;
  readonly classBase: ClassBase;
}

/** The step still to be applied to the scores; the machine applies softmax to a classifier's where they need it, none to a detector's. */
export type Activation = 'none' | 'sigmoid' | 'softmax';

/** The number of the first label: 0, or 1 where nothing has the number 0, or 1 where the number 0 is "nothing". */
export type ClassBase = 0 | 1 | 'background-first';

/** The six orders that differ: a box's two x, and its two y, may stand either way round. */
export const sixBoxOrders: readonly BoxOrder[] = [
  [1, 0, 3, 2],
  [0, 1, 2, 3],
  [0, 2, 1, 3],
  [1, 3, 0, 2],
  [0, 1, 3, 2],
  [1, 0, 2, 3],
];

/**
 * Says a box order in words.
 * @param order position p of a row holds coordinate order[p]: 0 xMin, 1 yMin, 2 xMax, 3 yMax
 * @returns "x, y, x, y"
 * @example
 * boxOrderWords([1, 0, 3, 2]); // => 'y, x, y, x'
 */
export function boxOrderWords(order: BoxOrder): string {
  return order.map((coordinate) => (coordinate % 2 === 0 ? 'x' : 'y')).join(', ');
}
