import type { DetectionSet, EvaluationSpace, TruthSet } from '../evaluation.ts';
import { matchBoxes, type AreaRange, type LabelMatches, type MatchOptions } from '../match/match-boxes.ts';
import { evenly, PrecisionCurve } from './precision-curve.ts';

/** COCO's twelve figures; null where nothing of that size is there. */
export type CocoFigure =
  'AP' | 'AP50' | 'AP75' | 'APs' | 'APm' | 'APl' | 'AR1' | 'AR10' | 'AR100' | 'ARs' | 'ARm' | 'ARl';

export interface CocoMetrics {
  readonly metrics: Readonly<Record<CocoFigure, number | null>>;
  readonly perLabel: readonly LabelMetrics[];
  /** results of labels without any truth: COCO leaves them out of every figure, so they are shown apart */
  readonly falseWithoutTruth: number;
}

export interface LabelMetrics {
  readonly label: string;
  /** truth that counts */
  readonly truth: number;
  /** results, after the cut to the most that an image may have */
  readonly detections: number;
  /** null: there is no truth of the label */
  readonly AP: number | null;
  readonly AP50: number | null;
  /** precision at the 101 recalls, IoU 0.5, all sizes; null without truth */
  readonly precisionAt50: Float64Array<ArrayBuffer> | null;
}

const cocoIous = evenly(0.5, 0.95, 10);

const all: AreaRange = { min: 0, max: 1e5 ** 2 };
const small: AreaRange = { min: 0, max: 32 ** 2 };
const medium: AreaRange = { min: 32 ** 2, max: 96 ** 2 };
const large: AreaRange = { min: 96 ** 2, max: 1e5 ** 2 };
const areaRanges = [all, small, medium, large] as const;

const at50 = 0;
const at75 = 5;

/** IoU 0.50:0.05:0.95, the four sizes, 100 results of an image and label. */
export const cocoMatching: Required<Pick<MatchOptions, 'iouThresholds' | 'areaRanges' | 'maxDetections'>> = {
  iouThresholds: cocoIous,
  areaRanges,
  maxDetections: 100,
};

/**
 * COCO's figures of boxes, equal to pycocotools up to rounding (1e-12). Ids play no part: where pycocotools reads truth
 * of id 0 as not found, these are its figures after numbering from 1.
 *
 * @param truth what is there
 * @param detections what was found, before any threshold
 * @param space how many images and which labels
 * @param ignoreRule see MatchOptions
 * @returns the twelve figures, and those of each label
 * @throws RangeError for an image or label number out of range
 * @example
 * const { metrics } = evaluateCoco(truth, detections, { imageCount: 100, labels });
 * metrics.AP50; // 0.697, or null where there is no truth
 */
export function evaluateCoco(
  truth: TruthSet,
  detections: DetectionSet,
  space: EvaluationSpace,
  ignoreRule: MatchOptions['ignoreRule'] = 'crowd',
): CocoMetrics {
  return cocoMetrics(matchBoxes(truth, detections, space, { ...cocoMatching, ignoreRule }), space.labels);
}

/**
 * The figures of matches that were made with `cocoMatching`.
 *
 * @param matches of every label
 * @param labels their names
 * @returns the twelve figures, and those of each label
 * @example
 * const matches = matchBoxes(truth, detections, space, cocoMatching);
 * const { perLabel } = cocoMetrics(matches, space.labels);
 */
export function cocoMetrics(matches: readonly LabelMatches[], labels: readonly string[]): CocoMetrics {
  const curves = new PrecisionCurve();
  const precision = areaRanges.map(() => new Means(cocoIous.length));
  const recall = { one: new Means(cocoIous.length), ten: new Means(cocoIous.length) };
  const recallBySize = areaRanges.map(() => new Means(cocoIous.length));
  const perLabel = matches.map((found): LabelMetrics => {
    const own = { AP: new Means(cocoIous.length), precisionAt50: null as Float64Array<ArrayBuffer> | null };
    for (const [area, truthCount] of found.truthCounts.entries()) {
      if (truthCount === 0) continue;
      for (let iou = 0; iou < cocoIous.length; iou++) {
        curves.read(found.outcomes[area]!, iou, truthCount);
        const mean = curves.mean();
        precision[area]!.add(iou, mean);
        recallBySize[area]!.add(iou, curves.found / truthCount);
        if (area > 0) continue;
        own.AP.add(iou, mean);
        if (iou === at50) own.precisionAt50 = curves.points.slice();
        recall.one.add(iou, foundWithin(found, iou, 1) / truthCount);
        recall.ten.add(iou, foundWithin(found, iou, 10) / truthCount);
      }
    }
    return {
      label: labels[found.label]!,
      truth: found.truthCounts[0]!,
      detections: found.row.length,
      AP: own.AP.all(),
      AP50: own.AP.at(at50),
      precisionAt50: own.precisionAt50,
    };
  });
  const withoutTruth = perLabel.filter(({ truth }) => truth === 0);
  return {
    metrics: {
      AP: precision[0]!.all(),
      AP50: precision[0]!.at(at50),
      AP75: precision[0]!.at(at75),
      APs: precision[1]!.all(),
      APm: precision[2]!.all(),
      APl: precision[3]!.all(),
      AR1: recall.one.all(),
      AR10: recall.ten.all(),
      AR100: recallBySize[0]!.all(),
      ARs: recallBySize[1]!.all(),
      ARm: recallBySize[2]!.all(),
      ARl: recallBySize[3]!.all(),
    },
    perLabel,
    falseWithoutTruth: withoutTruth.reduce((sum, { detections }) => sum + detections, 0),
  };
}

/** Truth that the `most` best results of each image found. */
function foundWithin({ outcomes, rank }: LabelMatches, iou: number, most: number): number {
  const outcome = outcomes[0]!;
  let found = 0;
  for (let at = 0; at < outcome.length; at++) if (rank[at]! < most) found += (outcome[at]! >>> iou) & 1;
  return found;
}

/** Means over labels, one by IoU threshold; labels without truth never come in. */
class Means {
  readonly #sums: Float64Array;
  readonly #counts: Uint32Array;

  constructor(length: number) {
    this.#sums = new Float64Array(length);
    this.#counts = new Uint32Array(length);
  }

  add(iou: number, value: number): void {
    this.#sums[iou]! += value;
    this.#counts[iou]!++;
  }

  at(iou: number): number | null {
    return this.#counts[iou]! === 0 ? null : this.#sums[iou]! / this.#counts[iou]!;
  }

  all(): number | null {
    const count = this.#counts.reduce((sum, one) => sum + one, 0);
    return count === 0 ? null : this.#sums.reduce((sum, one) => sum + one, 0) / count;
  }
}
