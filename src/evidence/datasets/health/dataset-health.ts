import type { DatasetItem } from '../item/dataset-item.ts';
import { faultOf, type BoxFault } from './check-box-shape.ts';
import { differenceHash, type GreyImage } from './difference-hash.ts';
import { HistogramCounter, type Histogram } from './histogram.ts';
import { groupNearDuplicates, type HashedPicture } from './near-duplicates.ts';

export interface LabelCount {
  readonly label: string;
  readonly boxCount: number;
  /** number of pictures with at least one box of this label */
  readonly imageCount: number;
}

/** Statistics and problems of a dataset. */
export interface DatasetHealth {
  readonly imageCount: number;
  readonly boxCount: number;
  /** labels of boxes, most frequent first */
  readonly labels: readonly LabelCount[];
  /** labels of whole pictures (classifications and tags), most frequent first */
  readonly imageLabels: readonly Omit<LabelCount, 'boxCount'>[];
  /** content ids of pictures without any box, classification or tag */
  readonly unlabelled: readonly string[];
  readonly withoutBoxes: readonly string[];
  readonly boxFaults: readonly { readonly contentId: string; readonly boxIndex: number; readonly fault: BoxFault }[];
  /** square root of the box's area as a fraction of the picture's area: the side of an equally large square */
  readonly boxSides: Histogram;
  /** width ÷ height in pixels; only boxes of pictures with known size */
  readonly boxAspects: Histogram;
  readonly boxesPerImage: Histogram;
  /** COCO's size classes by area in pixels: below 32², below 96², above; `unknown` if the picture's size is not known */
  readonly boxAreas: Readonly<Record<'small' | 'medium' | 'large' | 'unknown', number>>;
  /** groups of content ids of near duplicates; only pictures that were added with a grey image */
  readonly nearDuplicates: readonly (readonly string[])[];
}

const sideBorders = [0, 1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1];
const aspectBorders = [0, 1 / 4, 1 / 2, 1 / Math.SQRT2, Math.SQRT2, 2, 4, Infinity];
const boxCountBorders = [0, 1, 2, 3, 5, 10, 20, 50, 100, Infinity];

/** Computes the health of a dataset, one picture at a time. It keeps ids and counts only, no pictures. */
export class HealthCheck {
  #boxCount = 0;
  #imageCount = 0;
  readonly #labels = new Map<string, { boxCount: number; imageCount: number }>();
  readonly #imageLabels = new Map<string, { imageCount: number }>();
  readonly #unlabelled: string[] = [];
  readonly #withoutBoxes: string[] = [];
  readonly #boxFaults: { contentId: string; boxIndex: number; fault: BoxFault }[] = [];
  readonly #sides = new HistogramCounter(sideBorders);
  readonly #aspects = new HistogramCounter(aspectBorders);
  readonly #boxesPerImage = new HistogramCounter(boxCountBorders);
  readonly #areas = { small: 0, medium: 0, large: 0, unknown: 0 };
  readonly #hashes: HashedPicture[] = [];

  /** @param grey a small grey picture of the item (see `differenceHash`); without it, the item is not compared for duplicates */
  add(item: Omit<DatasetItem, 'content'>, grey?: GreyImage): void {
    const { contentId, boxes, classifications, tags } = item;
    this.#imageCount++;
    this.#boxCount += boxes.length;
    this.#boxesPerImage.add(boxes.length);
    const imageLabels = new Set([...classifications.map(({ label }) => label), ...tags]);
    for (const label of imageLabels) countIn(this.#imageLabels, label, { imageCount: 1 });
    if (boxes.length === 0) this.#withoutBoxes.push(contentId);
    if (boxes.length === 0 && imageLabels.size === 0) this.#unlabelled.push(contentId);
    this.#addBoxes(item);
    if (grey) this.#hashes.push({ contentId, hash: differenceHash(grey) });
  }

  /** @param maxDistance bits in which near duplicates may differ, 0..12 */
  report(maxDistance = 5): DatasetHealth {
    return {
      imageCount: this.#imageCount,
      boxCount: this.#boxCount,
      labels: ordered(this.#labels, ({ boxCount }) => boxCount),
      imageLabels: ordered(this.#imageLabels, ({ imageCount }) => imageCount),
      unlabelled: this.#unlabelled,
      withoutBoxes: this.#withoutBoxes,
      boxFaults: this.#boxFaults,
      boxSides: this.#sides.histogram(),
      boxAspects: this.#aspects.histogram(),
      boxesPerImage: this.#boxesPerImage.histogram(),
      boxAreas: { ...this.#areas },
      nearDuplicates: groupNearDuplicates(this.#hashes, maxDistance),
    };
  }

  #addBoxes({ contentId, boxes, sizePx }: Pick<DatasetItem, 'contentId' | 'boxes' | 'sizePx'>): void {
    const seen = new Set<string>();
    for (const [boxIndex, box] of boxes.entries()) {
      countIn(this.#labels, box.label, { boxCount: 1, imageCount: seen.has(box.label) ? 0 : 1 });
      seen.add(box.label);
      const fault = faultOf(box, sizePx);
      if (fault) this.#boxFaults.push({ contentId, boxIndex, fault });
      if (fault === 'degenerate') continue; // a degenerate box has no area
      const width = box.xMaxNormalized - box.xMinNormalized;
      const height = box.yMaxNormalized - box.yMinNormalized;
      this.#sides.add(Math.sqrt(width * height));
      if (sizePx === null) {
        this.#areas.unknown++;
        continue;
      }
      const [widthPx, heightPx] = [width * sizePx.widthPx, height * sizePx.heightPx];
      this.#aspects.add(widthPx / heightPx);
      this.#areas[widthPx * heightPx < 32 ** 2 ? 'small' : widthPx * heightPx < 96 ** 2 ? 'medium' : 'large']++;
    }
  }
}

function countIn<Counts extends Record<string, number>>(
  counts: Map<string, Counts>,
  label: string,
  more: Counts,
): void {
  const known = counts.get(label);
  if (!known) counts.set(label, { ...more });
  else for (const key in more) (known as Record<string, number>)[key]! += more[key]!;
}

/** Sorted by count, largest first; equal counts by label. */
function ordered<Counts>(
  counts: ReadonlyMap<string, Counts>,
  size: (counts: Counts) => number,
): ({ label: string } & Counts)[] {
  const rows = [...counts].map(([label, one]) => ({ label, ...one }));
  return rows.sort((a, b) => size(b) - size(a) || (a.label < b.label ? -1 : 1));
}
