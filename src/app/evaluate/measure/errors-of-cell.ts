import type { ConfusionMatrix } from '../../../evaluation/sweep/confusion-matrix.ts';
import type { BoxError, ErrorKinds } from '../../../evaluation/sweep/error-kinds.ts';
import type { GatheredBoxes } from '../../../../workers/evaluation/client.ts';

/** A cell of the confusion matrix: label numbers, where the number of labels means the background. */
export interface Cell {
  readonly truth: number;
  readonly result: number;
}

/** The errors behind a cell of the confusion matrix. Its pairs are not always those of the kinds of error. */
export function errorsOfCell(
  { truth, result }: Cell,
  { errors }: ErrorKinds,
  { pairs }: ConfusionMatrix,
  boxes: Pick<GatheredBoxes, 'truth' | 'detections' | 'space'>,
): readonly BoxError[] {
  const background = boxes.space.labels.length;
  const labelOf = (labels: Uint32Array, row: number): number => (row < 0 ? background : labels[row]!);
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
