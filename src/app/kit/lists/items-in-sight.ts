/** The geometry of a scrolled list of items of equal size. */
export interface ScrolledList {
  readonly count: number;
  readonly itemPx: number;
  readonly scrolledPx: number;
  readonly viewPx: number;
  /**
   * number of items that are rendered beyond the visible ones on each side, for the frame before the next render
   */
  readonly around: number;
}

/**
 * How many items a view renders, however long the list is: one more than fits is visible if the first and the last
 * are cut off.
 */
export const drawnAtOnce = ({ itemPx, viewPx, around }: Pick<ScrolledList, 'itemPx' | 'viewPx' | 'around'>): number =>
  Math.ceil(viewPx / itemPx) + 1 + 2 * around;

/**
 * Which items are rendered: the visible ones and some on each side, always the same number while scrolling. `end`
 * is the first that is not rendered. A list that is scrolled beyond its end shows the end.
 */
export function itemsInSight(list: ScrolledList): { readonly first: number; readonly end: number } {
  const { count, itemPx, scrolledPx, around } = list;
  const drawn = drawnAtOnce(list);
  const first = Math.max(0, Math.min(count - drawn, Math.floor(scrolledPx / itemPx) - around));
  return { first, end: Math.min(count, first + drawn) };
}

/**
 * The scroll position at which an item is completely visible: the nearest one, or the present one if it is visible
 * already.
 */
export function revealItem(
  index: number,
  { itemPx, scrolledPx, viewPx }: Pick<ScrolledList, 'itemPx' | 'scrolledPx' | 'viewPx'>,
): number {
  const startPx = index * itemPx;
  if (startPx < scrolledPx) return startPx;
  return Math.max(scrolledPx, startPx + itemPx - viewPx);
}
