import { StoreError } from '../../data-service/ports/store-error.ts';

export const notFound = (thing: string, id: string): StoreError =>
  new StoreError('not-found', `There is no ${thing} ${id}.`, { subject: id });

export const alreadyExists = (thing: string, name: string): StoreError =>
  new StoreError('already-exists', `The ${thing} ${name} exists already; choose another name.`, { subject: name });

export const receiptExists = (uploadId: string): StoreError =>
  new StoreError('already-exists', `Upload ${uploadId} is stored already.`, { subject: uploadId });

export const newerSchema = (what: string, found: number, known: number): StoreError =>
  new StoreError(
    'unsupported',
    `${what} was written by a newer version of Sightglass (schema ${found}; this one knows ${known}). Nothing was changed: open it with that version.`,
  );

export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

type Named = { readonly name: string; readonly id: string };
export const byName = (a: Named, b: Named): number => byText(a.name, b.name) || byText(a.id, b.id);
