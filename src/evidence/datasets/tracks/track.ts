import type { NormalizedBox } from '../../../machine/vision/face/results.ts';

/** Assigns a box to a track: one object over the frames of a sequence. */
export interface TrackMark {
  /** an integer of 0 or more, unique for each object of a sequence */
  readonly id: number;
  /** whether the box is a key frame: boxes between key frames are interpolated */
  readonly isKey: boolean;
  /** whether the track ends here: the object is not visible until the next key frame, if there is one */
  readonly isLast: boolean;
}

/** A key frame: a box and its position `at` in the sequence, in any unit. */
export interface KeyFrame<Box extends NormalizedBox = NormalizedBox> {
  readonly at: number;
  readonly box: Box;
  readonly isLast: boolean;
}

/** The box of a track at one position of its sequence. `from` is the key frame there, or the last one before. */
export interface TrackAt<Box extends NormalizedBox> {
  readonly from: KeyFrame<Box>;
  readonly corners: NormalizedBox;
}

const edges = ['xMinNormalized', 'yMinNormalized', 'xMaxNormalized', 'yMaxNormalized'] as const;

/**
 * Interpolates a track linearly: each corner moves in a straight line from a key frame to the next. After the last key
 * frame the box stays. Null before the first key frame, and between a key frame that ends the track and the next one.
 *
 * @param keys in order of `at`, without duplicates
 */
export function trackAt<Box extends NormalizedBox>(keys: readonly KeyFrame<Box>[], at: number): TrackAt<Box> | null {
  const next = keys.findIndex((key) => key.at > at);
  const from = keys.at(next === -1 ? -1 : next - 1);
  if (next === 0 || !from) return null;
  if (from.at === at) return { from, corners: cornersOf(from.box) };
  if (from.isLast) return null;
  const to = next === -1 ? from : keys[next]!;
  const part = to === from ? 0 : (at - from.at) / (to.at - from.at);
  const between = edges.map((edge) => [edge, from.box[edge] * (1 - part) + to.box[edge] * part]);
  return { from, corners: Object.fromEntries(between) as unknown as NormalizedBox };
}

/** Whether two boxes are equal apart from rounding in files: less than a hundredth of a pixel in a large picture. */
export function isSamePlace(a: NormalizedBox, b: NormalizedBox): boolean {
  return edges.every((edge) => Math.abs(a[edge] - b[edge]) <= 2e-6);
}

function cornersOf({ xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized }: NormalizedBox): NormalizedBox {
  return { xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized };
}
