import type { BinaryEdit, EditedBinary } from '../ports/binary-store.ts';

/** Adds what is missing of these tags. */
export const addTags =
  (tags: readonly string[]): BinaryEdit =>
  (record) => {
    const all = new Set([...record.tags, ...tags]);
    return all.size === record.tags.length ? record : { ...record, tags: [...all] };
  };

export const removeTags =
  (tags: readonly string[]): BinaryEdit =>
  (record) => {
    const kept = record.tags.filter((tag) => !tags.includes(tag));
    return kept.length === record.tags.length ? record : { ...record, tags: kept };
  };

/** Number of tags that an edit removed, summed over the files. */
export const removedTags = (edited: readonly EditedBinary[]): number =>
  edited.reduce((count, { before, after }) => count + before.tags.length - after.tags.length, 0);
