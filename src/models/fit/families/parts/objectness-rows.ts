import { reshape, slice } from '../../../onnx/face/graphs.ts';
import { bestCandidates, type Candidates } from '../../attach/candidates.ts';
import type { Head } from '../../structure/family.ts';

export interface ObjectnessRows {
  readonly candidates: Candidates;
  /** [T,4], the first four numbers of the candidates' rows */
  readonly boxes: string;
}

/**
 * Rows [1, N, 5+C] of box, objectness, class scores: the best by objectness × class. As class scores are probabilities, rows whose
 * objectness alone is too low are left out before any class is looked at.
 */
export function objectnessRows(head: Head, output: string, classCount: number): ObjectnessRows {
  const { build } = head;
  const alongRows = { axis: { int: 1 } };
  const passing = head.ends.passingRows(head, reshape(build, slice(build, output, 2, 4, 5), [-1]));
  const rows = build.add('Gather', [output, passing], alongRows);
  const best = bestCandidates(head, {
    scores: slice(build, rows, 2, 5, 5 + classCount),
    classAxis: 2,
    objectness: reshape(build, slice(build, rows, 2, 4, 5), [1, -1]),
  });
  const boxes = build.add('Gather', [slice(build, rows, 2, 0, 4), best.index], alongRows);
  return {
    candidates: { ...best, index: build.add('Gather', [passing, best.index], { axis: { int: 0 } }) },
    boxes: reshape(build, boxes, [-1, 4]),
  };
}
