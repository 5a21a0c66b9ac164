import type { ModelStructure } from '../structure/model-structure.ts';
import { cascadePart } from './cascade.ts';
import { embedding } from './embedding.ts';
import { moreInputs, noPicture } from './inputs.ts';
import { keyPoints } from './key-points.ts';
import { anomaly, depth, mask, pictures, segmentation } from './maps.ts';
import type { OtherKind } from './other-kind.ts';
import { textDetection, textRecognition } from './text.ts';

/** The narrower kind first. */
const otherKinds: readonly OtherKind[] = [
  noPicture,
  cascadePart,
  textRecognition,
  textDetection,
  keyPoints,
  anomaly,
  pictures,
  segmentation,
  mask,
  depth,
  embedding,
  moreInputs,
];

/** What a model is that is neither a detector nor a classifier. */
export interface FoundOtherKind {
  readonly id: string;
  /** in words that follow "This model" */
  readonly is: string;
  /** why, and what the machine can do with it: sentences */
  readonly seen: string;
  readonly machine: string;
}

/**
 * Tells by its structure what a model is that no decoding makes a detector or a classifier of.
 * @param model its inputs, outputs and operators
 * @returns the kind with what says so; null: nothing says that it is any
 * @example
 * const operators = new Map();
 * const picture = { layout: 'nchw', dtype: 'float32', widthPx: 64, heightPx: 64 };
 * const inputs = [{ name: 'image', dtype: 'float32', shape: [1, 3, 64, 64] }];
 * const outputs = [{ name: 'depth', dtype: 'float32', shape: [1, 64, 64] }];
 * findOtherKind({ picture, inputs, outputs, labels: null, headOf: () => operators }).id; // => 'depth'
 */
export function findOtherKind(model: ModelStructure): FoundOtherKind | null {
  for (const { id, is, machine, seen } of otherKinds) {
    const words = seen(model);
    if (words !== null) return { id, is, machine, seen: words };
  }
  return null;
}
