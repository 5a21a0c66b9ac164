import type { GraphWriter } from '../../onnx/face/model-files.ts';
import type { TrainedLetterbox } from '../../../machine/vision/face/inference.ts';
import type { Normalization, TensorData, TensorDtype } from '../../../machine/vision/face/feeding.ts';
import type { InputSize } from './input-size.ts';
import type { ModelStructure } from './model-structure.ts';
import type { OptionSpec, OptionValues } from './options.ts';

export { asBytes, asImageNet, asSigned, asUnits } from '../../../machine/vision/face/feeding.ts';

/** A kind of model: how to know one by its structure and shapes, never by its name, and how to decode it in the graph. */
export interface Family {
  /** name by which the family is asked for: kebab-case */
  readonly id: string;
  /** name by which people know the family */
  readonly name: string;
  readonly kind: Attached['kind'];
  readonly recognise: (model: ModelStructure) => Recognition | NotThisFamily;
}

export interface NotThisFamily {
  readonly fits: false;
  /** one sentence on what keeps the model from being of this family */
  readonly why: string;
  /** how near it is: 0 another shape, 1 the shape without the numbers that belong to it, 2 all but an operator */
  readonly nearness: 0 | 1 | 2;
}

export interface Recognition {
  readonly fits: true;
  /** plain sentences: what was seen that speaks for this family */
  readonly evidence: readonly string[];
  /** How much of the structure speaks for it; of several families that fit the highest is taken. See `specificity`. */
  readonly specificity: number;
  /** size of the input; -1 where neither the model nor its metadata says it */
  readonly widthPx: number;
  readonly heightPx: number;
  /** those that come out; 0 where nothing says it */
  readonly classCount: number;
  /** the model has a class before them that stands for none, which lists of labels may or may not name */
  readonly leavesOutBackground?: boolean;
  readonly options: readonly OptionSpec[];
  readonly preprocessing: Preprocessing;
  /** why `preprocessing` is only a guess, in a sentence; absent: the file, or the family, tells it */
  readonly feedingGuess?: string;
  /** id of the family that the file was fitted as before; absent: it was not */
  readonly fittedAs?: string;
  /** the loss by the file's quantisation, after which no decoding is right, and the way to mend it; absent: none */
  readonly lost?: string | null;
  /** the same as `preprocessing`, where options decide it */
  readonly preprocessingOf?: (options: OptionValues) => Preprocessing;
  /** outputs that decoding reads; all others go, with what only they need */
  readonly outputs: readonly string[];
  /** the same, where options decide it */
  readonly outputsOf?: (options: OptionValues) => readonly string[];
  /** values of the inputs that the machine does not fill, by name; sizes may depend on the input's */
  readonly fills?: (size: InputSize) => Readonly<Record<string, FixedTensor>>;
  /** Adds the decoding to the graph. */
  readonly attach: (head: Head) => Attached;
}

export interface FixedTensor {
  readonly dtype: TensorDtype;
  readonly shape: readonly number[];
  readonly data: TensorData;
}

/** What the model was trained to be fed. */
export interface Preprocessing extends Normalization {
  readonly colour: 'rgb' | 'bgr';
  /** how the family's own code keeps a picture's proportions; null where it stretches */
  readonly letterbox: Letterbox | null;
}

export type Letterbox = TrainedLetterbox;

/** The end of the graph, open for decoding. */
export interface Head {
  readonly build: GraphWriter;
  /** how candidates are chosen and suppressed in the format of the file */
  readonly ends: Ends;
  readonly size: InputSize;
  /** An output of the model, as float32. */
  readonly output: (name: string) => string;
  readonly number: (option: string) => number;
  readonly choice: (option: string) => string;
}

/** Candidates of one best class each, before suppression. */
export interface Suppressible {
  /** [T,4] ymin, xmin, ymax, xmax */
  readonly boxes: string;
  /** [T] */
  readonly score: string;
  /** [T] whole numbers */
  readonly category: string;
  readonly further?: Further | undefined;
}

/** The further numbers of each candidate that the network says and that are kept. */
export interface Further {
  /** [T,N] */
  readonly numbers: string;
  /** N */
  readonly count: number;
}

/** The rows of a head that may be shown, best first. */
export interface BestOf {
  /** [T] whole numbers */
  readonly index: string;
  /** [T] */
  readonly score: string;
}

/**
 * What differs between the formats: ONNX drops rows as it goes, and how many are left is known when the graph runs; TensorFlow Lite's
 * rows are fixed, so the best `maxCandidates` stay, whatever their scores, until its suppression drops them.
 */
export interface Ends {
  /** The rows [M] of scores [N], whole numbers, that may reach the score threshold. */
  readonly passingRows: (head: Head, scores: string) => string;
  /** The best `maxCandidates` of scores [N] that may reach the score threshold. */
  readonly bestOf: (head: Head, scores: string) => BestOf;
  /** Suppresses overlapping boxes class by class, each box counting for its best class alone. */
  readonly suppress: (head: Head, candidates: Suppressible, classCount: number) => Detections;
  /**
   * The same, each box counting for every class: one box may come out under several. `boxes` is [T,4], `scores` [1,T,C].
   */
  readonly suppressEveryClass: (
    head: Head,
    boxes: string,
    scores: string,
    classCount: number,
    further?: Further,
  ) => Detections;
}

export type Attached = Detections | Classifications;

/** Names of tensors; rows are `maxDetections`, best first, padded with rows of zeros. See `fixedRows`. */
export interface Detections {
  readonly kind: 'detections';
  /** [1, rows, 4] ymin, xmin, ymax, xmax, proportional to the model's input, clipped or not */
  readonly location: string;
  /** [1, rows] */
  readonly category: string;
  /** [1, rows] */
  readonly score: string;
  /** number of rows, for a model that was fitted before, which gets no other; absent: `maxDetections` */
  readonly rows?: number;
  /** [rows, N] what else the network says of each; absent: nothing that is kept */
  readonly further?: string;
  /** the meaning of the further numbers */
  readonly details?: Details;
}

/** What a network says of a detection beyond its box: further outputs, which the machine ignores and the bench draws. */
export type Details = KeyPoints | Masks;

/** Each point: x and y proportional to the model's input, and how sure it is, from 0 to 1. */
export interface KeyPoints {
  readonly kind: 'key points';
  readonly count: number;
}

/** How much of each prototype is in a row's mask; the sigmoid of the sum is above 0.5 where the object is. */
export interface Masks {
  readonly kind: 'masks';
  /** [1, M, height, width], over the whole input */
  readonly prototypes: string;
  readonly shape: readonly number[];
}

export interface Classifications {
  readonly kind: 'classifications';
  /** [1, classes], 0..1 */
  readonly probability: string;
  /** fewer than the model's where a background class is left out */
  readonly classCount: number;
}

/** What a recognition rests on, from the weakest up. */
export const specificity = {
  /** the shape of an output alone */
  shape: 1,
  /** a shape that follows from the input's size, as a grid of strides */
  grid: 2,
  /** a shape and the operators that make it */
  operators: 3,
  /** names or numbers that no other family writes */
  signature: 4,
} as const;

export function notThisFamily(why: string, nearness: NotThisFamily['nearness'] = 0): NotThisFamily {
  return { fits: false, why, nearness };
}
