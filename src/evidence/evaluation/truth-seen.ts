import type { Box, TruthTraits } from './build-sets.ts';

export interface SourcePoint {
  readonly x: number;
  readonly y: number;
}

/** The part of a truth box that is left where a transform cuts some of the source picture away. */
export interface SeenTruth {
  /** the upright box around the part that was seen, on the source picture */
  readonly box: Box;
  /** how much of its area was seen, above 0 and up to 1 */
  readonly remaining: number;
  /** too little is left to be asked for: it counts as neither found nor missed */
  readonly isIgnored: boolean;
}

/** Share of a box's area that must remain for it to count where it is cut through. */
export const leastRemaining = 0.5;

/**
 * Truth is boxes of the source picture, and so are results that were traced back to it; what a crop or a rotation cuts
 * away the model could not see. The rule: a box of which at least `least` remains counts, cut to the part that was seen;
 * one of which less remains is ignored; one of which nothing remains is no truth of this frame. A resize changes nothing.
 *
 * @param box x, y, width, height on the source
 * @param region corners of what the model saw, on the source, around a convex shape: the last stage's corners, traced back
 * @param least share of the area that must remain, default 0.5
 * @returns null: nothing of it was seen
 * @example
 * const rightHalf = [{ x: 5, y: 0 }, { x: 10, y: 0 }, { x: 10, y: 10 }, { x: 5, y: 10 }];
 * truthSeen([0, 0, 10, 10], rightHalf).remaining; // => 0.5
 */
export function truthSeen(box: Box, region: readonly SourcePoint[], least = leastRemaining): SeenTruth | null {
  const [x, y, width, height] = box;
  if (region.length < 3 || !(width > 0 && height > 0)) return null;
  const part = [
    (point: SourcePoint) => point.x - x,
    (point: SourcePoint) => x + width - point.x,
    (point: SourcePoint) => point.y - y,
    (point: SourcePoint) => y + height - point.y,
  ].reduce(clipped, region);
  const remaining = Math.min(1, areaOf(part) / (width * height));
  if (part.length === 0 || remaining === 0) return null;
  // A box that was seen whole stays as it is, to the bit.
  if (remaining > 1 - 1e-9) return { box, remaining: 1, isIgnored: false };
  const [xs, ys] = [part.map((point) => point.x), part.map((point) => point.y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { box: [left, top, Math.max(...xs) - left, Math.max(...ys) - top], remaining, isIgnored: remaining < least };
}

/**
 * What COCO says of a truth box of which a part was seen: its area shrinks with it.
 *
 * @param box x, y, width, height of the whole
 * @param traits of the whole
 * @param seen what `truthSeen` says of it
 * @returns the traits of the part
 * @example
 * traitsSeen([0, 0, 10, 10], { isCrowd: true }, { remaining: 0.5, isIgnored: false }).area; // => 50
 */
export function traitsSeen(
  [, , width, height]: Box,
  traits: TruthTraits,
  { remaining, isIgnored }: Pick<SeenTruth, 'remaining' | 'isIgnored'>,
): TruthTraits {
  const area = (traits.area ?? width * height) * remaining;
  return { ...traits, area, isIgnored: traits.isIgnored === true || isIgnored };
}

/** The part of a convex shape on one side of a line: where `inside` is not negative. */
function clipped(shape: readonly SourcePoint[], inside: (point: SourcePoint) => number): readonly SourcePoint[] {
  return shape.flatMap((to, at) => {
    const from = shape.at(at - 1)!;
    const [before, after] = [inside(from), inside(to)];
    const share = before / (before - after);
    const crossing = { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) };
    const crosses = before < 0 !== after < 0;
    return [...(crosses ? [crossing] : []), ...(after >= 0 ? [to] : [])];
  });
}

function areaOf(shape: readonly SourcePoint[]): number {
  let twice = 0;
  for (const [at, to] of shape.entries()) {
    const from = shape.at(at - 1)!;
    twice += from.x * to.y - to.x * from.y;
  }
  return Math.abs(twice) / 2;
}
