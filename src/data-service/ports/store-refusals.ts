import { StoreError } from './store-error.ts';
import type { Micros } from './stored-captures.ts';

// The refusals of every store, in the same words.

export const notFound = (thing: string, id: string): StoreError =>
  new StoreError('not-found', `There is no ${thing} ${id}.`, { subject: id });

export const alreadyExists = (thing: string, name: string): StoreError =>
  new StoreError('already-exists', `The ${thing} ${name} exists already; choose another name.`, { subject: name });

export const receiptExists = (uploadId: string): StoreError =>
  new StoreError('already-exists', `Upload ${uploadId} is stored already.`, { subject: uploadId });

/**
 * Refuses an upload that comes too long after its stamp: those who look for late data no longer wait for it.
 * @param now time of the store
 * @param notAfter up to when the upload may be stored
 * @throws StoreError `unavailable`: sent again, it gets another stamp
 * @example
 * requireInTime(5, 5);
 * requireInTime(6, 5); // throws: The upload waited for too long to be stored. Send it again.
 */
export function requireInTime(now: Micros, notAfter: Micros): void {
  if (now > notAfter)
    throw new StoreError('unavailable', 'The upload waited for too long to be stored. Send it again.');
}

export const lastOwner = (membershipId: string): StoreError =>
  new StoreError(
    'last-owner',
    'This is the last owner of the organization, which would have none. Make another member owner of the whole organization first.',
    { subject: membershipId },
  );

export const newerSchema = (what: string, found: number, known: number): StoreError =>
  new StoreError(
    'unsupported',
    `${what} was written by a newer version of Sightglass (schema ${found}; this one knows ${known}). Nothing was changed: open it with that version.`,
  );
