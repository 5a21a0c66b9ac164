import { StoreError } from './store-error.ts';
import type { Micros } from './stored-captures.ts';

// The refusals of every store, in the same words.

export const notFound = (thing: string, id: string): StoreError =>
  new StoreError('not-found', `There is no ${thing} ${id}.`, { subject: id });

export const alreadyExists = (thing: string, name: string): StoreError =>
  new StoreError('already-exists', `The ${thing} ${name} exists already; choose another name.`, { subject: name });

export const receiptExists = (uploadId: string): StoreError =>
  new StoreError('already-exists', `Upload ${uploadId} is stored already.`, { subject: uploadId });

/** @throws StoreError `unavailable` where the time of a store is beyond that up to which it may take an upload */
export function requireInTime(now: Micros, notAfter: Micros): void {
  if (now > notAfter)
    throw new StoreError('unavailable', 'The upload waited for too long to be stored. Send it again.');
}

export const newerSchema = (what: string, found: number, known: number): StoreError =>
  new StoreError(
    'unsupported',
    `${what} was written by a newer version of Sightglass (schema ${found}; this one knows ${known}). Nothing was changed: open it with that version.`,
  );
