import { reshape } from '../../onnx/face/graphs.ts';
import type { Further, Head, Suppressible } from '../structure/family.ts';
import type { Rows } from './fixed-rows.ts';

/** Suppresses overlapping boxes class by class, each box counting for its best class alone. Rows come out by class. */
export function suppress(head: Head, { boxes, score, category, further }: Suppressible, classCount: number): Rows {
  const { build } = head;
  const rowScores = reshape(build, score, [1, 1, -1]);
  const classScores =
    classCount === 1 ? rowScores : scoresByClass(head, rowScores, reshape(build, category, [1, 1, -1]), classCount);
  const { classes, index } = select(head, boxes, classScores);
  const of = (tensor: string) => build.add('Gather', [tensor, index], { axis: { int: 0 } });
  return {
    boxes: of(boxes),
    category: build.add('Cast', [classes], { to: { int: 1 } }),
    score: of(score),
    further: further && { ...further, numbers: of(further.numbers) },
  };
}

/**
 * Suppresses overlapping boxes class by class, each box counting for every class: one box may come out under several.
 * `boxes` is [T,4], `scores` [1,T,C].
 */
export function suppressEveryClass(
  head: Head,
  boxes: string,
  scores: string,
  classCount: number,
  further?: Further,
): Rows {
  const { build } = head;
  const byClass = build.add('Transpose', [scores], { perm: { ints: [0, 2, 1] } });
  const { classes, index } = select(head, boxes, byClass);
  const place = build.add('Add', [build.add('Mul', [index, build.ints([], [classCount])]), classes]);
  const of = (tensor: string) => build.add('Gather', [tensor, index], { axis: { int: 0 } });
  return {
    boxes: of(boxes),
    category: build.add('Cast', [classes], { to: { int: 1 } }),
    score: build.add('Gather', [reshape(build, scores, [-1]), place], { axis: { int: 0 } }),
    further: further && { ...further, numbers: of(further.numbers) },
  };
}

/** Classes and indices of what stays, int64. */
function select(head: Head, boxes: string, scores: string) {
  const { build } = head;
  const selected = build.add('NonMaxSuppression', [
    reshape(build, boxes, [1, -1, 4]),
    scores,
    build.ints([1], [head.number('maxDetections')]),
    build.floats([1], [head.number('iouThreshold')]),
    build.floats([1], [head.number('scoreThreshold')]),
  ]);
  // Rows of (batch, class, index).
  const column = (k: number) => build.add('Gather', [selected, build.ints([], [k])], { axis: { int: 1 } });
  return { classes: column(1), index: column(2) };
}

/** [1, C, T]: a candidate's score in the row of its class, 0 elsewhere. */
function scoresByClass({ build }: Head, scores: string, categories: string, classCount: number): string {
  const classes = build.ints(
    [1, classCount, 1],
    Array.from({ length: classCount }, (_, k) => k),
  );
  const isOwn = build.add('Equal', [categories, classes]);
  return build.add('Where', [isOwn, scores, build.floats([], [0])]);
}
