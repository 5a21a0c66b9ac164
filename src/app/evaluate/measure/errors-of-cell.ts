import type { BoxError, ConfusionMatrix, ErrorKinds } from '../../../evidence/evaluation/face/sweep.ts';
import type { GatheredBoxes } from '../../../../workers/evaluation/client.ts';

/** A cell of the confusion matrix by its labels; null: the background. Numbers of labels may change while images come. */
export interface Cell {
  readonly truth: string | null;
  readonly result: string | null;
}

/** The errors behind a cell of the confusion matrix. Its pairs are not always those of the kinds of error. */
export function errorsOfCell(
  { truth, result }: Cell,
  { errors }: ErrorKinds,
  { pairs }: ConfusionMatrix,
  boxes: Pick<GatheredBoxes, 'truth' | 'detections' | 'space'>,
): readonly BoxError[] {
  const labelOf = (labels: Uint32Array, row: number): string | null =>
    row < 0 ? null : boxes.space.labels[labels[row]!]!;
  const kindOfResult = new Map(errors.map(({ detectionRow, kind }) => [detectionRow, kind]));
  return pairs
    .filter(
      ({ truthRow, detectionRow }) =>
        labelOf(boxes.truth.label, truthRow) === truth && labelOf(boxes.detections.label, detectionRow) === result,
    )
    .map(({ truthRow, detectionRow }) => ({
      truthRow,
      detectionRow,
      kind: detectionRow < 0 ? 'missed' : (kindOfResult.get(detectionRow) ?? 'class'),
    }));
}
