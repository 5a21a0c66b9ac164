import { type BoxError, type FilterSubject, kindWords } from '../../../evidence/evaluation/face/sweep.ts';
import type { PicturedError } from '../../../evidence/evaluation/face/report.ts';
import type { TruthImage } from '../ports/truth-source.ts';
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

/** An error as it is drawn, with the image that it is drawn on. */
export interface DrawnError extends Omit<PicturedError, 'url'> {
  readonly image: TruthImage;
}

export function drawnError(error: BoxError, measured: Measured): DrawnError {
  const { kind, detectionRow, truthRow } = error;
  const { truth, detections } = measured.boxes;
  const { score, resultLabel, truthLabel } = subjectOf(error, measured);
  const { image, raw } = measured.images[detectionRow >= 0 ? detections.image[detectionRow]! : truth.image[truthRow]!]!;
  const boxOf = ({ box }: typeof truth | typeof detections, row: number): Float64Array | null =>
    row < 0 ? null : box.slice(4 * row, 4 * row + 4);
  const words = [
    resultLabel !== null && `${resultLabel} ${score!.toFixed(2)}`,
    truthLabel !== null && (resultLabel === null ? truthLabel : `truth: ${truthLabel}`),
  ];
  return {
    title: kindWords[kind].title,
    text: words.filter(Boolean).join(' · '),
    name: image.name,
    widthPx: raw.widthPx,
    heightPx: raw.heightPx,
    truthBox: boxOf(truth, truthRow),
    resultBox: boxOf(detections, detectionRow),
    image,
  };
}
