import type { Rect } from './place-chips.ts';

/**
 * The place for a note that covers the least of the occupied rectangles; the first of equal ones.
 */
export function leastCovering(places: readonly Rect[], taken: readonly Rect[]): Rect | null {
  const covered = places.map((place) => taken.reduce((sum, other) => sum + sharedArea(place, other), 0));
  return places[covered.indexOf(Math.min(...covered))] ?? null;
}

function sharedArea(a: Rect, b: Rect): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.max(0, width) * Math.max(0, height);
}
