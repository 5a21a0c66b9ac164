import type { Order, Position } from '../../../data-service/face/captures.ts';
import { comparePositions, type OpenBounds } from '../../data-store/capture-ranges.ts';
import type { ReadingSheet } from '../reading-sheet/reading-sheet.ts';

/** A sheet, and where it begins and ends in the order of its stream. */
export interface PlacedSheet {
  readonly row: number;
  readonly first: Position;
  readonly last: Position;
  readonly count: number;
}

/** Finds sheets by their place: those of a stream do not overlap. */
export interface SheetLookup {
  /** The first sheet of a stream that ends at a place or beyond it. */
  endingFrom(stream: number, place: Position): PlacedSheet | null;
  /** The first one that ends beyond it. */
  endingBeyond(stream: number, place: Position): PlacedSheet | null;
  /** The last one that ends before it. */
  endingBefore(stream: number, place: Position): PlacedSheet | null;
  open(row: number): ReadingSheet;
}

/** A part of a sheet: the readings from one to but without another. */
export interface SheetPart {
  readonly row: number;
  readonly from: number;
  readonly to: number;
}

/** Walks over what a stream's sheets hold within bounds, sheet by sheet. */
export class SheetLane {
  readonly #sheets: SheetLookup;
  readonly #stream: number;
  readonly #order: Order;
  #bounds: OpenBounds;

  constructor(sheets: SheetLookup, stream: number, bounds: OpenBounds, order: Order) {
    this.#sheets = sheets;
    this.#stream = stream;
    this.#bounds = bounds;
    this.#order = order;
  }

  /** The next part that holds a reading; null after the last one. */
  next(): SheetPart | null {
    for (;;) {
      const { lower, upper } = this.#bounds;
      const placed = this.#nextSheet();
      if (placed === null) return null;
      this.#bounds = this.#order === 'ascending' ? { lower: placed.last, upper } : { lower, upper: placed.first };
      const isInside = comparePositions(placed.first, lower) > 0 && comparePositions(placed.last, upper) < 0;
      if (isInside) return { row: placed.row, from: 0, to: placed.count };
      const from = this.#placesUpTo(placed, (place) => comparePositions(place, lower) <= 0);
      const to = this.#placesUpTo(placed, (place) => comparePositions(place, upper) < 0);
      if (from < to) return { row: placed.row, from, to };
    }
  }

  #nextSheet(): PlacedSheet | null {
    const { lower, upper } = this.#bounds;
    if (this.#order === 'descending') {
      const crossing = this.#sheets.endingFrom(this.#stream, upper);
      if (crossing !== null && comparePositions(crossing.first, upper) < 0) return crossing;
      const before = this.#sheets.endingBefore(this.#stream, upper);
      return before !== null && comparePositions(before.last, lower) > 0 ? before : null;
    }
    const next = this.#sheets.endingBeyond(this.#stream, lower);
    return next !== null && comparePositions(next.first, upper) < 0 ? next : null;
  }

  /** How many readings of a sheet, from its first on, are before a place that `isBefore` knows. */
  #placesUpTo({ row, count }: PlacedSheet, isBefore: (place: Position) => boolean): number {
    const sheet = this.#sheets.open(row);
    let [least, most] = [0, count];
    while (least < most) {
      const middle = (least + most) >> 1;
      if (isBefore({ time: sheet.times[middle]!, id: sheet.id(middle) })) least = middle + 1;
      else most = middle;
    }
    return least;
  }
}
