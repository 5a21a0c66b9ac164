import type { ChangedBox } from '../../../evaluation/compare/compare-detections.ts';
import type { RawImage } from '../../../ports/raw-image.ts';
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
}

/** The boxes that both sides keep of an image, with what becomes of each. */
export function boxesOfFrame(
  { images, labels, changes, at }: Pick<Compared, 'images' | 'labels' | 'changes' | 'at'>,
  image: number,
): { readonly first: readonly FrameBox[]; readonly second: readonly FrameBox[] } {
  const numbers = new Map(labels.map((label, number) => [label.toLowerCase(), number]));
  const ofImage = changes.filter((change) => change.image === image);
  const boxesOf = (side: 'first' | 'second', thresholds: ArrayLike<number>): FrameBox[] => {
    const raw = images[image]![side];
    const before = rowsBefore(images, image, side);
    const kinds = new Map(ofImage.map((change) => [change[side], change.kind]));
    return Array.from(raw.score, (score, at): FrameBox | null => {
      const label = raw.labels[raw.labelIndex[at]!]!;
      const threshold = thresholds[numbers.get(label.toLowerCase())!]!;
      if (threshold !== -Infinity && !(score - threshold >= 0)) return null;
      const [x, y, width, height] = raw.box.subarray(4 * at, 4 * at + 4) as unknown as [number, number, number, number];
      return { row: before + at, kind: kinds.get(before + at) ?? 'same', label, score, x, y, width, height };
    }).filter((box) => box !== null);
  };
  return { first: boxesOf('first', at.firstThresholds), second: boxesOf('second', at.secondThresholds) };
}

/** How many rows a side has on the images before this one: its rows are numbered over all images. */
const rowsBefore = (images: readonly PairedImage[], image: number, side: 'first' | 'second'): number =>
  images.slice(0, image).reduce((sum, one) => sum + (one[side] satisfies RawImage).score.length, 0);
