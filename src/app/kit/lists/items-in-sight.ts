/** A long list of items of one size along the way that it scrolls, and what of it a view shows. */
export interface ScrolledList {
  readonly count: number;
  readonly itemPx: number;
  readonly scrolledPx: number;
  readonly viewPx: number;
  /** items drawn on either side of those in sight, for the frame in which one scrolls before they are drawn anew */
  readonly around: number;
}

/** How many items a view draws, however many there are: one more than fits is in sight where one is cut off at each end. */
export const drawnAtOnce = ({ itemPx, viewPx, around }: Pick<ScrolledList, 'itemPx' | 'viewPx' | 'around'>): number =>
  Math.ceil(viewPx / itemPx) + 1 + 2 * around;

/**
 * Which items are drawn: those in sight and some around them, always as many while one scrolls. `end` is the first that
 * is not drawn. A list that was scrolled further than it is now long shows its end.
 */
export function itemsInSight(list: ScrolledList): { readonly first: number; readonly end: number } {
  const { count, itemPx, scrolledPx, around } = list;
  const drawn = drawnAtOnce(list);
  const first = Math.max(0, Math.min(count - drawn, Math.floor(scrolledPx / itemPx) - around));
  return { first, end: Math.min(count, first + drawn) };
}

/** How far to scroll to have the whole of an item in sight: as little as it takes, not at all where it is. */
export function revealItem(
  index: number,
  { itemPx, scrolledPx, viewPx }: Pick<ScrolledList, 'itemPx' | 'scrolledPx' | 'viewPx'>,
): number {
  const startPx = index * itemPx;
  if (startPx < scrolledPx) return startPx;
  return Math.max(scrolledPx, startPx + itemPx - viewPx);
}
