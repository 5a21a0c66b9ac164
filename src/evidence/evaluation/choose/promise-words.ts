import type { RecallBoundAnswer } from './recall-bound.ts';

/** What a promised recall is a share of: of each image's objects, as a mean over images, or of all objects together. */
export type PromisedOf = 'each-image' | 'all-objects';

/** 95 %, 99.9 %: never rounded to a whole, as a promise of 99.9 % is none of 100 %. */
export const promiseShare = (share: number): string => `${Number((100 * share).toFixed(2))} %`;

/**
 * @param of what the promised recall is a share of
 * @param recall above 0 and below 1
 * @param label of the objects
 * @returns what is promised, as the main part of a sentence
 * @example promiseText('all-objects', 0.8, 'cup'); // => 'at least 80 % of all cup objects together is found'
 */
export function promiseText(of: PromisedOf, recall: number, label: string): string {
  const share = promiseShare(recall);
  return of === 'all-objects'
    ? `at least ${share} of all ${label} objects together is found`
    : `at least ${share} of each image’s ${label} objects is found on average`;
}

/**
 * @param refused why there is no promise
 * @param promise what was to be promised
 * @param promise.recall above 0 and below 1
 * @param promise.label of the objects
 * @returns why, as a sentence
 * @example
 * const few = { reason: 'too-few', unitsNeeded: 45, units: 60, evenUnits: 9 };
 * refusedPromiseText(few, { recall: 0.95, label: 'cup' }); // => 'Too few images to promise that 95 % is found: 60 images with cup, worth 9 with as many objects each, and it takes at least 45, even if nothing is missed.'
 */
export function refusedPromiseText(
  { reason, units, evenUnits, unitsNeeded }: NonNullable<RecallBoundAnswer['refused']>,
  { recall, label }: { readonly recall: number; readonly label: string },
): string {
  if (reason === 'too-low') return `Even if every result is kept, too much of ${label} is missed on these images.`;
  const worth = evenUnits < units ? `, worth ${evenUnits} with as many objects each` : '';
  return `Too few images to promise that ${promiseShare(recall)} is found: ${units} ${units === 1 ? 'image' : 'images'} with ${label}${worth}, and it takes at least ${unitsNeeded}, even if nothing is missed.`;
}
