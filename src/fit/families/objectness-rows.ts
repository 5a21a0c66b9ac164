import { reshape, slice } from '../../onnx/versioned-operators.ts';
import { bestCandidates, type Candidates } from '../attach/candidates.ts';
import type { Head } from '../family.ts';

export interface ObjectnessRows {
  readonly candidates: Candidates;
  /** [T,4], the first four numbers of the candidates' rows */
  readonly boxes: string;
}

/** Rows [1, N, 5+C] of box, objectness, class scores: the best by objectness × class. */
export function objectnessRows(head: Head, output: string, count: number, classCount: number): ObjectnessRows {
  const { build } = head;
  const candidates = bestCandidates(head, {
    scores: slice(build, output, 2, 5, 5 + classCount),
    classAxis: 2,
    count,
    objectness: reshape(build, slice(build, output, 2, 4, 5), [1, count]),
  });
  const rows = build.add('Gather', [slice(build, output, 2, 0, 4), candidates.index], { axis: { int: 1 } });
  return { candidates, boxes: reshape(build, rows, [candidates.count, 4]) };
}
