/** A rectangle in stage px. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A chip to be placed: the bounds of its box on the stage, and the size of its text. */
export interface ChipRequest {
  readonly box: Rect;
  readonly widthPx: number;
  readonly heightPx: number;
}

const rowPx = 32;

/**
 * Finds a place for each chip that covers no chip placed before it: above the box, inside its top edge, below it,
 * then to its right. Earlier requests win. null: none of the places is free, and the box is drawn without text.
 */
export function placeChips(requests: readonly ChipRequest[], stage: Rect): (Rect | null)[] {
  /**
   * The placed chips by the rows of the stage that they touch, so that each place is compared only with its
   * neighbours.
   */
  const taken = new Map<number, Rect[]>();
  const rowsOf = ({ y, height }: Rect): number[] => {
    const first = Math.floor(y / rowPx);
    return Array.from({ length: Math.floor((y + height) / rowPx) - first + 1 }, (_, at) => first + at);
  };
  return requests.map(({ box, widthPx: width, heightPx: height }) => {
    const places = [
      { x: box.x, y: box.y - height },
      { x: box.x, y: box.y },
      { x: box.x, y: box.y + box.height },
      { x: box.x + box.width - width, y: box.y - height },
      { x: box.x + box.width, y: box.y },
    ].map(({ x, y }) => ({ x: clamp(x, stage.x, stage.x + stage.width - width), y, width, height }));
    const free = places.find(
      (place) =>
        place.y >= stage.y &&
        place.y + height <= stage.y + stage.height &&
        !rowsOf(place).some((row) => taken.get(row)?.some((other) => overlaps(place, other))),
    );
    if (free) for (const row of rowsOf(free)) taken.set(row, [...(taken.get(row) ?? []), free]);
    return free ?? null;
  });
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

function overlaps(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
