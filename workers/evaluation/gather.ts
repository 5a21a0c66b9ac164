import {
  DetectionSetBuilder,
  LabelNames,
  traitsSeen,
  truthSeen,
  TruthSetBuilder,
} from '../../src/evidence/evaluation/face/sets.ts';
import type { NormalizedBox } from '../../src/machine/vision/face/results.ts';
import type { GatheredBoxes, ImageToCount } from './protocol.ts';

/**
 * Gathers the truth and the raw detections of images.
 * @param labels that are known already, for a second run whose labels are to have the numbers of the first
 */
export function gatherBoxes(
  images: readonly Omit<ImageToCount, 'id'>[],
  labels: LabelNames = new LabelNames(),
): GatheredBoxes {
  const truth = new TruthSetBuilder();
  const detections = new DetectionSetBuilder();
  let cutAwayCount = 0;
  const numbersByTable = new Map<readonly string[], readonly number[]>();
  for (const [at, { boxes, raw }] of images.entries()) {
    const numbers = numbersByTable.get(raw.labels) ?? raw.labels.map((label) => labels.add(label, true));
    numbersByTable.set(raw.labels, numbers);
    for (let row = 0; row < raw.score.length; row++) {
      const box = raw.box.subarray(4 * row, 4 * row + 4) as unknown as readonly [number, number, number, number];
      detections.add(at, numbers[raw.labelIndex[row]!]!, box, raw.score[row]!);
    }
    const region = raw.seen && cornersOf(raw.seen);
    for (const box of boxes) {
      const label = labels.add(box.label, false);
      const whole = pixelBox(box, raw);
      const { areaPx, isCrowd = false, isIgnored = false } = box;
      const traits = { ...(areaPx !== undefined && { area: areaPx }), isCrowd, isIgnored };
      const seen = region ? truthSeen(whole, region) : { box: whole, remaining: 1, isIgnored: false };
      if (!seen || seen.isIgnored) cutAwayCount++;
      if (seen) truth.add(at, label, seen.box, traitsSeen(whole, traits, seen));
    }
  }
  return {
    space: { imageCount: images.length, labels: labels.names },
    truth: truth.build(),
    detections: detections.build(),
    isOfModel: labels.isOfModel,
    cutAwayCount,
  };
}

const cornersOf = (seen: Float64Array): readonly { readonly x: number; readonly y: number }[] =>
  Array.from({ length: seen.length / 2 }, (_, at) => ({ x: seen[2 * at]!, y: seen[2 * at + 1]! }));

/** x, y, width and height in pixels of the image. */
const pixelBox = (
  { xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized }: NormalizedBox,
  { widthPx, heightPx }: ImageToCount['raw'],
): readonly [number, number, number, number] => [
  xMinNormalized * widthPx,
  yMinNormalized * heightPx,
  (xMaxNormalized - xMinNormalized) * widthPx,
  (yMaxNormalized - yMinNormalized) * heightPx,
];
