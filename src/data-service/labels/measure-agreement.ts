import { DetectionSetBuilder, TruthSetBuilder } from '../../evaluation/build-sets.ts';
import { shareInterval } from '../../evaluation/intervals/ratio-interval.ts';
import { matchBoxes } from '../../evaluation/match/match-boxes.ts';
import type { BoundingBox } from '../ports/stored-captures.ts';

/** What two people have drawn on one image. */
export interface DrawnTwice {
  readonly a: readonly BoundingBox[];
  readonly b: readonly BoundingBox[];
}

/** How far the boxes of two people are the same. */
export interface Agreement {
  /** '' of all labels together */
  readonly label: string;
  /** images on which one of them has drawn the label */
  readonly images: number;
  readonly boxesA: number;
  readonly boxesB: number;
  readonly matched: number;
  /** matched boxes of both, as a share of all boxes of both: 1 where they drew the same */
  readonly f1: number;
  /** lower and upper end of the 95 % confidence interval of `f1`, over images */
  readonly low: number;
  readonly high: number;
  /** so few images that another image could change it much */
  readonly isFew: boolean;
}

const fewImages = 10;

/**
 * Measures how far two people draw the same boxes (inter-annotator agreement): those of a label are matched image by image, each with at
 * most one of the other person, where they overlap enough. The interval of F1 follows from how much the images differ.
 * @param images what both drew on each image that both have done
 * @param iou smallest intersection over union at which two boxes match, in (0, 1]
 * @returns a figure for each label that one of them drew, by name; and one of all labels together, null where there is no box
 * @example
 * const box = { id: '1', label: 'cup', confidence: null, xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
 * measureAgreement([{ a: [box], b: [box] }, { a: [box], b: [] }], 0.5).overall.f1.toFixed(2); // => '0.67'
 */
export function measureAgreement(
  images: readonly DrawnTwice[],
  iou: number,
): { readonly labels: readonly Agreement[]; readonly overall: Agreement | null } {
  const names = [...new Set(images.flatMap(({ a, b }) => [...a, ...b].map(({ label }) => label)))].toSorted();
  const numberOf = new Map(names.map((name, index) => [name, index]));
  const [truth, detections] = [new TruthSetBuilder(), new DetectionSetBuilder()];
  for (const [image, { a, b }] of images.entries()) {
    for (const box of a) truth.add(image, numberOf.get(box.label)!, cornersOf(box));
    for (const box of b) detections.add(image, numberOf.get(box.label)!, cornersOf(box), 1);
  }
  const most = Math.max(1, ...images.map(({ b }) => b.length));
  const matches = matchBoxes(
    truth.build(),
    detections.build(),
    { imageCount: images.length, labels: names },
    { iouThresholds: Float64Array.of(iou), maxDetections: most },
  );
  const all = new Counts(images.length);
  const labels = matches.map(({ label, image, truthRow, countedImage }) => {
    const counts = new Counts(images.length);
    for (const at of countedImage) counts.a[at]!++;
    for (const [row, at] of image.entries()) {
      counts.b[at]!++;
      if (truthRow[row]! >= 0) counts.matched[at]!++;
    }
    all.add(counts);
    return counts.agreement(names[label]!);
  });
  return { labels: labels.filter((one) => one !== null), overall: all.agreement('') };
}

/** Boxes of each image. */
class Counts {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly matched: Uint32Array;

  constructor(images: number) {
    this.a = new Uint32Array(images);
    this.b = new Uint32Array(images);
    this.matched = new Uint32Array(images);
  }

  add({ a, b, matched }: Counts): void {
    for (let image = 0; image < a.length; image++) {
      this.a[image]! += a[image]!;
      this.b[image]! += b[image]!;
      this.matched[image]! += matched[image]!;
    }
  }

  /** null: there is no box */
  agreement(label: string): Agreement | null {
    const ofBoth = this.a.map((count, image) => count + this.b[image]!);
    const f1 = shareInterval(
      this.matched.map((count) => 2 * count),
      ofBoth,
    );
    if (f1 === null) return null;
    const images = ofBoth.filter((count) => count > 0).length;
    return {
      label,
      images,
      boxesA: sum(this.a),
      boxesB: sum(this.b),
      matched: sum(this.matched),
      f1: f1.value,
      low: f1.low,
      high: f1.high,
      isFew: images < fewImages,
    };
  }
}

const sum = (counts: Uint32Array): number => counts.reduce((total, count) => total + count, 0);

const cornersOf = ({ xMinNormalized: x, yMinNormalized: y, xMaxNormalized, yMaxNormalized }: BoundingBox) =>
  [x, y, xMaxNormalized - x, yMaxNormalized - y] as const;
