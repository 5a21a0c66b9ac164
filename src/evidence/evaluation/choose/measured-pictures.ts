import type { Units } from './choose-threshold.ts';
import { spreadOver } from './spread-over.ts';

/** Intervals of fewer units that differ always hold 0. */
export const fewestUnits = 6;

/** The pictures that a search takes, and those that what it finds is measured on, by their numbers in ascending order. */
export interface MeasuredPictures {
  readonly searched: readonly number[];
  readonly measured: readonly number[];
  /** no unit is both searched and measured */
  readonly isApart: boolean;
}

/**
 * Chooses what is searched and what is measured: pictures of other units than the search takes, since what it finds fits its own pictures
 * best; all of them, where the others are too few to tell anything.
 * @param units which pictures belong together
 * @param mostSearched pictures that a search takes at most
 * @returns numbers of pictures
 * @example
 * const units = { count: 9, ofImage: Uint32Array.from([0, 0, 1, 2, 3, 4, 5, 6, 7, 8]) };
 * measuredPictures(units, 2); // => { searched: [0, 5], measured: [2, 3, 4, 6, 7, 8, 9], isApart: true }
 */
export function measuredPictures({ ofImage }: Pick<Units, 'ofImage'>, mostSearched: number): MeasuredPictures {
  const all = Array.from(ofImage, (_, picture) => picture);
  const searched = spreadOver(all, mostSearched);
  const searchedUnits = new Set(searched.map((picture) => ofImage[picture]!));
  const others = all.filter((picture) => !searchedUnits.has(ofImage[picture]!));
  const isApart = new Set(others.map((picture) => ofImage[picture]!)).size >= fewestUnits;
  return { searched, measured: isApart ? others : all, isApart };
}
