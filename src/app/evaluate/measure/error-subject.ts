import type { FilterSubject } from '../../../evaluation/filter/parse-filter.ts';
import type { BoxError } from '../../../evaluation/sweep/error-kinds.ts';
import type { Measured } from './box-counting.ts';

/** What a filter reads of an error. */
export function subjectOf({ kind, detectionRow, truthRow }: BoxError, { boxes, images }: Measured): FilterSubject {
  const { truth, detections, space } = boxes;
  const [columns, row] = truthRow >= 0 ? [truth, truthRow] : [detections, detectionRow];
  return {
    kind,
    score: detectionRow < 0 ? null : detections.score[detectionRow]!,
    resultLabel: detectionRow < 0 ? null : space.labels[detections.label[detectionRow]!]!,
    truthLabel: truthRow < 0 ? null : space.labels[truth.label[truthRow]!]!,
    width: columns.box[4 * row + 2]!,
    height: columns.box[4 * row + 3]!,
    image: images[columns.image[row]!]!.image.name,
  };
}
