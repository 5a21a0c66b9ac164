import type { GraphBuilder } from '../../src/models/onnx/edit-model.ts';
import { randomSource } from '../random-frame.ts';
import { logit } from './head-models.ts';
import { aroundCentre, bestClass, type PlainCandidate } from './plain-detections.ts';

/** A head with rows of four box numbers, an objectness and class scores. */
export interface ObjectnessHead {
  readonly boxes: readonly (readonly number[])[];
  readonly objectness: readonly number[];
  readonly scores: readonly (readonly number[])[];
}

export function randomHead(
  seed: number,
  count: number,
  classCount: number,
  box: (random: () => number) => readonly number[],
): ObjectnessHead {
  const random = randomSource(seed);
  const probability = () => Math.fround(random() * 0.98 + 0.01);
  const rows = Array.from({ length: count });
  return {
    boxes: rows.map(() => box(random).map(Math.fround)),
    objectness: rows.map(probability),
    scores: rows.map(() => Array.from({ length: classCount }, probability)),
  };
}

/** Objectness and class scores [1, N, 1 + classes] after a sigmoid. */
export function activated(build: GraphBuilder, { objectness, scores }: ObjectnessHead): string {
  const values = scores.flatMap((row, k) => [objectness[k]!, ...row].map(logit));
  return build.add('Sigmoid', [build.floats([1, scores.length, 1 + scores[0]!.length], values)]);
}

/** Converts each row to a candidate: box by `decode` (default: centre and size), score = objectness × best class score. */
export function candidatesOf(
  { boxes, objectness, scores }: ObjectnessHead,
  decode: (box: readonly number[], row: number) => readonly number[] = (box) => box,
): PlainCandidate[] {
  return boxes.map((box, row) => {
    const { category, score } = bestClass(scores[row]!);
    return { corners: aroundCentre(decode(box, row)), category, score: score * objectness[row]! };
  });
}
