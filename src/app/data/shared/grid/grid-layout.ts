import { drawnAtOnce, itemsInSight } from '../../../kit/lists/items-in-sight.ts';

export interface GridLayout {
  readonly columns: number;
  readonly cellWidthPx: number;
  readonly rowHeightPx: number;
  readonly heightPx: number;
}

/** Lays out as many equal columns as fit, at least one. `labelPx` is the height of a cell beside that of its 4:3 picture. */
export function layOut(count: number, widthPx: number, wantedPx: number, labelPx: number): GridLayout {
  const columns = Math.max(1, Math.floor(widthPx / wantedPx));
  const cellWidthPx = Math.floor(widthPx / columns);
  const rowHeightPx = Math.round(cellWidthPx * 0.75) + labelPx;
  return { columns, cellWidthPx, rowHeightPx, heightPx: Math.ceil(count / columns) * rowHeightPx };
}

/** One column of rows. */
export const layOutRows = (count: number, widthPx: number, rowPx: number): GridLayout => ({
  columns: 1,
  cellWidthPx: widthPx,
  rowHeightPx: rowPx,
  heightPx: count * rowPx,
});

/**
 * The cells to draw: the visible ones and a row around them. Their number is constant, so that elements can be reused.
 */
export function visibleCells(
  { columns, rowHeightPx }: GridLayout,
  count: number,
  scrolledPx: number,
  viewPx: number,
): { readonly first: number; readonly end: number; readonly slots: number } {
  const rows = { count: Math.ceil(count / columns), itemPx: rowHeightPx, scrolledPx, viewPx, around: 1 };
  const { first, end } = itemsInSight(rows);
  return { first: first * columns, end: Math.min(count, end * columns), slots: drawnAtOnce(rows) * columns };
}

/**
 * The cell that an element draws. Each element draws every `slots`-th cell, so that scrolling by a row changes only
 * one row of elements.
 */
export function cellOfSlot({ first, slots }: { readonly first: number; readonly slots: number }, slot: number): number {
  return first + ((((slot - first) % slots) + slots) % slots);
}

/** The cell that a key moves to; null for other keys. */
export function cellAfterKey(
  key: string,
  current: number,
  { columns, count, pageRows }: { readonly columns: number; readonly count: number; readonly pageRows: number },
): number | null {
  const step = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
    PageDown: columns * pageRows,
    PageUp: -columns * pageRows,
    Home: -count,
    End: count,
  }[key];
  if (step === undefined) return null;
  // Up and down stay in their column, also at an edge.
  const next = current + step;
  if (Math.abs(step) === columns && columns > 1 && (next < 0 || next >= count)) return next < 0 ? current : count - 1;
  return Math.max(0, Math.min(count - 1, next));
}
