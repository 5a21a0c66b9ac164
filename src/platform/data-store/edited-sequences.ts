import type { Change } from '../../data-service/face/accounts.ts';
import { changesOf, notFound } from '../../data-service/face/stores.ts';
import type { Sequence, SequenceEdit } from '../../data-service/face/captures.ts';

/** What an edit makes of sequences, to be stored. */
export interface EditedSequences {
  /** the new states of those that the edit changed */
  readonly changed: readonly Sequence[];
  /** the changes' rows in the audit */
  readonly changes: readonly Change[];
  /** distinct ids of the datasets that they become members of, which the store must check to exist */
  readonly addedDatasets: readonly string[];
}

/**
 * Edits sequences.
 * @param ids of the sequences to edit; the first that is not found is named in the error
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
    addedDatasets: [
      ...new Set(
        edited.flatMap(({ before, after }) => after.datasetIds.filter((id) => !before.datasetIds.includes(id))),
      ),
    ],
  };
}
