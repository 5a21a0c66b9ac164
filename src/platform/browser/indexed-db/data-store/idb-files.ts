import type { BinaryFilter, BinaryRecord, EditedBinary } from '../../../../data-service/face/captures.ts';
import type { IdbCaptures } from './idb-captures.ts';
import type { IdbResults } from './idb-result-store.ts';
import type { WriteTransaction } from './schema.ts';

/** What a write of files takes, with its rows in the audit. */
export const fileStores = ['binary', 'streams', 'tallies', 'resultSheets', 'auditRows'] as const;

/** Writes edited files. */
export async function replaceFiles(
  transaction: WriteTransaction,
  captures: IdbCaptures<BinaryRecord, BinaryFilter>,
  results: IdbResults,
  edited: readonly EditedBinary[],
): Promise<void> {
  await captures.put(
    transaction,
    edited.map(({ after }) => after),
    { before: edited.map(({ before }) => before) },
  );
  await results.forget(
    transaction,
    edited.flatMap(({ before, after }) => [before, after]),
  );
}
