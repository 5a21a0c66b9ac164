import type { ChangedBox } from '../../../evidence/evaluation/face/comparison.ts';
import { boxOverlap } from '../../../evidence/evaluation/face/matches.ts';
import type { RawImage } from '../../../platform/ports/raw-image.ts';
import type { Drop } from '../../../machine/vision/face/filters.ts';
import type { Compared, PairedImage } from './comparison.svelte.ts';

/** A box of one side, as the frame shows it. */
export interface FrameBox {
  /** row among the boxes of its side */
  readonly row: number;
  readonly kind: ChangedBox['kind'] | 'same';
  readonly label: string;
  readonly score: number;
  /** in pixels of the image */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** why the other side does not keep such a box, though its model finds it; null: it does not find it, or keeps it */
  readonly drop: Drop | null;
}

/** The overlap from which two boxes are the same thing. */
const SAME_FROM = 0.5;

/** The boxes that both sides keep of an image, with what becomes of each. */
export function boxesOfFrame(
  { images, labels, changes, at }: Pick<Compared, 'images' | 'labels' | 'changes' | 'at'>,
  image: number,
): { readonly first: readonly FrameBox[]; readonly second: readonly FrameBox[] } {
  const numbers = new Map(labels.map((label, number) => [label.toLowerCase(), number]));
  const sideOf = (name: 'first' | 'second', thresholds: ArrayLike<number>): Side => {
    const raw = images[image]![name];
    const ofLabels = raw.labels.map((label) => thresholds[numbers.get(label.toLowerCase())!]!);
    const kinds = changes
      .filter((change) => change.image === image)
      .map((change) => [change[name], change.kind] as const);
    return { raw, thresholds: ofLabels, before: rowsBefore(images, image, name), kinds: new Map(kinds) };
  };
  const [first, second] = [sideOf('first', at.firstThresholds), sideOf('second', at.secondThresholds)];
  return { first: keptBoxes(first, second), second: keptBoxes(second, first) };
}

interface Side {
  readonly raw: RawImage;
  /** by the raw result's own label number */
  readonly thresholds: readonly number[];
  /** how many rows the images before this one have: a side's rows are numbered over all images */
  readonly before: number;
  readonly kinds: ReadonlyMap<number, ChangedBox['kind']>;
}

const rowsBefore = (images: readonly PairedImage[], image: number, side: 'first' | 'second'): number =>
  images.slice(0, image).reduce((sum, one) => sum + one[side].score.length, 0);

const isKept = ({ raw, thresholds }: Side, row: number): boolean => {
  const threshold = thresholds[raw.labelIndex[row]!]!;
  return threshold === -Infinity || raw.score[row]! - threshold >= 0;
};

const labelOf = ({ labels, labelIndex }: RawImage, row: number): string => labels[labelIndex[row]!]!;

function keptBoxes(side: Side, other: Side): FrameBox[] {
  const { raw, before, kinds } = side;
  return Array.from(raw.score, (score, row): FrameBox | null => {
    if (!isKept(side, row)) return null;
    const kind = kinds.get(before + row) ?? 'same';
    const [x, y, width, height] = raw.box.subarray(4 * row, 4 * row + 4) as unknown as [number, number, number, number];
    const drop = kind === 'vanished' || kind === 'appeared' ? dropBy(other, raw, row) : null;
    return { row: before + row, kind, label: labelOf(raw, row), score, x, y, width, height, drop };
  }).filter((box) => box !== null);
}

/** The surest of the other side's boxes there that its thresholds drop. */
function dropBy(other: Side, raw: RawImage, row: number): Drop | null {
  const label = labelOf(raw, row).toLowerCase();
  let best = -1;
  for (let at = 0; at < other.raw.score.length; at++) {
    if (isKept(other, at) || labelOf(other.raw, at).toLowerCase() !== label) continue;
    if (boxOverlap(raw.box, row, other.raw.box, at, false) < SAME_FROM) continue;
    if (best < 0 || other.raw.score[at]! > other.raw.score[best]!) best = at;
  }
  if (best < 0) return null;
  const threshold = other.thresholds[other.raw.labelIndex[best]!]!;
  const reason = threshold === Infinity ? 'label-not-listed' : 'below-threshold';
  return { reason, score: other.raw.score[best]!, threshold };
}
