import type { Change } from '../../data-service/ports/audit-store.ts';
import { changesOf } from '../../data-service/ports/describe-changes.ts';
import type { Sequence, SequenceEdit } from '../../data-service/ports/sequence-store.ts';
import { notFound } from '../../data-service/ports/store-refusals.ts';

/** Sequences as an edit makes them. */
export interface EditedSequences {
  /** those that differ */
  readonly changed: readonly Sequence[];
  /** what is to be said of them in the audit */
  readonly changes: readonly Change[];
  /** the datasets that they become members of, each of which must exist */
  readonly addedDatasets: readonly string[];
}

/**
 * Edits sequences.
 * @param ids which, in the order in which one that is missing is named
 * @param found those of them that the organization has, in any order
 * @param edit as of `SequenceStore.edit`
 * @throws StoreError `not-found`
 */
export function editedSequences(
  ids: readonly string[],
  found: readonly Sequence[],
  edit: SequenceEdit,
): EditedSequences {
  const byId = new Map(found.map((sequence) => [sequence.id, sequence]));
  const own = ids.map((id) => {
    const sequence = byId.get(id);
    if (sequence === undefined) throw notFound('sequence', id);
    return sequence;
  });
  const edited = own.map((before) => ({ before, after: edit(before) })).filter(({ before, after }) => before !== after);
  return {
    changed: edited.map(({ after }) => after),
    changes: edited.flatMap(({ before, after }) => changesOf('sequence', before, after)),
    addedDatasets: edited.flatMap(({ before, after }) =>
      after.datasetIds.filter((id) => !before.datasetIds.includes(id)),
    ),
  };
}
