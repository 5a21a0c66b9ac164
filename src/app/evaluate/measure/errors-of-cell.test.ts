import { expect, it } from 'vitest';
import { DetectionSetBuilder, TruthSetBuilder } from '../../../evidence/evaluation/build-sets.ts';
import { errorsOfCell } from './errors-of-cell.ts';

it('are of the kinds that are told, and of class where a pair of the matrix is no error of its own', () => {
  const [truth, found] = [new TruthSetBuilder(), new DetectionSetBuilder()];
  for (const label of [0, 0]) truth.add(0, label, [0, 0, 9, 9]);
  for (const label of [1, 1]) found.add(0, label, [0, 0, 9, 9], 0.9);
  const boxes = { truth: truth.build(), detections: found.build(), space: { imageCount: 1, labels: ['cat', 'dog'] } };
  const pairs = [
    { truthRow: 0, detectionRow: 0 },
    { truthRow: 1, detectionRow: 1 },
    { truthRow: 1, detectionRow: -1 },
  ];
  const errors = [{ kind: 'both', truthRow: 0, detectionRow: 0 }];
  const of = (truthLabel: string | null, result: string | null) =>
    errorsOfCell({ truth: truthLabel, result }, { errors } as never, { pairs } as never, boxes).map(({ kind }) => kind);
  expect([of('cat', 'dog'), of('cat', null), of(null, 'dog')]).toEqual([['both', 'class'], ['missed'], []]);
});
