import type { DetectionSet, EvaluationSpace } from '../evaluation.ts';

/** Images with all that is known before a person corrects them. */
export interface UncorrectedImages {
  readonly space: EvaluationSpace;
  /** before any threshold */
  readonly detections: DetectionSet;
  /** the lowest score that is kept, by label number; +Infinity: the label is dropped */
  readonly thresholds: ArrayLike<number>;
  /** what another model, or another configuration, says of the same images; null: there is none */
  readonly other: OtherOpinion | null;
  /** by image: 1 where a person has corrected it before; novelty is counted from those */
  readonly isCorrected: ArrayLike<number> | null;
}

/** By image number. */
export interface OtherOpinion {
  /** boxes that the other keeps */
  readonly kept: ArrayLike<number>;
  /** kept boxes of the one that the other has, too */
  readonly agreed: ArrayLike<number>;
}

/** Why an image is worth correcting; each part is 0 or more. */
export interface CorrectionWorth {
  /** sum of score × (1 − score) over all its boxes: most of a box that may be either */
  readonly uncertain: number;
  /** 0..1: how far from the corrected images, or, while there are none, from the usual one, as a rank among all */
  readonly novel: number;
  /** 0..1: of its labels, one part in so many images as have the rarest */
  readonly rare: number;
  /** boxes that one model has and the other lacks */
  readonly disagreeing: number;
  /** all of it together, above 0: images are drawn in proportion to it */
  readonly worth: number;
}

/** Chosen on the shared COCO photographs; the estimate is right for any of them, only more or less sharp. */
const share = { base: 1, uncertain: 1, disagreeing: 0.25, novel: 0.25, rare: 0.25 };

/**
 * Says how much correcting each image is worth. Nothing of it is taken for truth: it decides what is looked at first,
 * and how likely that was is weighed in `estimateCorrectedF1`.
 *
 * @param images what is known of them
 * @returns by image number
 * @example
 * import { DetectionSetBuilder } from '../build-sets.ts';
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.99);
 * found.add(1, 0, [0, 0, 10, 10], 0.5);
 * const space = { imageCount: 2, labels: ['cup'] };
 * const images = { space, detections: found.build(), thresholds: [0.4], other: null, isCorrected: null };
 * worthOfCorrecting(images).map(({ uncertain }) => Number(uncertain.toFixed(4))); // => [0.0099, 0.25]
 */
export function worthOfCorrecting(images: UncorrectedImages): readonly CorrectionWorth[] {
  const { detections, thresholds, space, other } = images;
  const uncertain = new Float64Array(space.imageCount);
  const kept = new Float64Array(space.imageCount);
  const imagesOfLabel = space.labels.map(() => new Set<number>());
  for (let row = 0; row < detections.count; row++) {
    const [image, label, score] = [detections.image[row]!, detections.label[row]!, detections.score[row]!];
    uncertain[image]! += Math.max(0, score * (1 - score));
    if (score < (thresholds[label] ?? 0)) continue;
    kept[image]!++;
    imagesOfLabel[label]!.add(image);
  }
  const rare = new Float64Array(space.imageCount);
  for (const of of imagesOfLabel) for (const image of of) rare[image] = Math.max(rare[image]!, 1 / of.size);
  const novel = noveltyOf(images, kept);
  return Array.from(kept, (own, image) => {
    const parts = {
      uncertain: uncertain[image]!,
      novel: novel[image]!,
      rare: rare[image]!,
      disagreeing: other ? own + other.kept[image]! - 2 * other.agreed[image]! : 0,
    };
    const worth =
      share.base +
      share.uncertain * parts.uncertain +
      share.disagreeing * parts.disagreeing +
      share.novel * parts.novel +
      share.rare * parts.rare;
    return { ...parts, worth };
  });
}

/** The novelty of each image: how far the boxes that are kept on it are from those of other images, as a rank from 0 to 1. */
function noveltyOf({ detections, thresholds, space, isCorrected }: UncorrectedImages, kept: Float64Array): number[] {
  const count = space.imageCount;
  const [area, score] = [new Float64Array(count), new Float64Array(count)];
  for (let row = 0; row < detections.count; row++) {
    if (detections.score[row]! < (thresholds[detections.label[row]!] ?? 0)) continue;
    const image = detections.image[row]!;
    const side = Math.sqrt(detections.box[4 * row + 2]! * detections.box[4 * row + 3]!);
    area[image]! += Math.log1p(Math.max(0, side)) / kept[image]!;
    score[image]! += detections.score[row]! / kept[image]!;
  }
  const features = [kept.map(Math.log1p), area, score].map(standardized);
  const known = Array.from({ length: count }, (_, image) => image).filter((image) => isCorrected?.[image] === 1);
  const far = Array.from({ length: count }, (_, image) => {
    if (known.length === 0) return features.reduce((sum, of) => sum + of[image]! ** 2, 0);
    return Math.min(...known.map((one) => features.reduce((sum, of) => sum + (of[image]! - of[one]!) ** 2, 0)));
  });
  const ascending = Float64Array.from(far).sort();
  return far.map((own) => (count < 2 ? 0 : ascending.indexOf(own) / (count - 1)));
}

function standardized(values: Float64Array): Float64Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return values.map((value) => (variance === 0 ? 0 : (value - mean) / Math.sqrt(variance)));
}
