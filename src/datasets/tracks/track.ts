import type { NormalizedBox } from '../../vision/normalized-box.ts';

/** That a box belongs to a track: one object, over the frames of a sequence. */
export interface TrackMark {
  /** whole, 0 or more; in one sequence the same object has one */
  readonly id: number;
  /** somebody set it: other boxes of the track are interpolated between such ones */
  readonly isKey: boolean;
  /** The object is not seen after this frame, until the next key frame: the track ends, and may begin again. */
  readonly isLast: boolean;
}

/** A box that was set, and where in the sequence: frames are counted by `at`, whatever their unit. */
export interface KeyFrame<Box extends NormalizedBox = NormalizedBox> {
  readonly at: number;
  readonly box: Box;
  readonly isLast: boolean;
}

/** What a track is at one place of its sequence. `from` is the key frame there, or the last one before. */
export interface TrackAt<Box extends NormalizedBox> {
  readonly from: KeyFrame<Box>;
  readonly corners: NormalizedBox;
}

const edges = ['xMinNormalized', 'yMinNormalized', 'xMaxNormalized', 'yMaxNormalized'] as const;

/**
 * The rule of interpolation. Each corner goes in a straight line from a key frame to the next; after the last one the box
 * stays where it is. There is nothing before the first, and nothing from a key frame that ends the track to the next.
 *
 * @param keys in order of `at`, none twice
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

/** Whether two boxes are the same but for what numbers lose in files: less than a hundredth of a pixel of a large picture. */
export function isSamePlace(a: NormalizedBox, b: NormalizedBox): boolean {
  return edges.every((edge) => Math.abs(a[edge] - b[edge]) <= 2e-6);
}

function cornersOf({ xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized }: NormalizedBox): NormalizedBox {
  return { xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized };
}
