import type { OutboxEntry } from '../../../../remote/outbox/outbox-entry.ts';
import type { OutboxStore } from '../../../../remote/outbox/outbox-store.ts';
import { batch } from '../../../../base/schedule/batch.ts';
import type { CaptureDatabase } from './capture-database.ts';

interface Update {
  readonly id: string;
  readonly change: (entry: OutboxEntry) => OutboxEntry | null;
}

/**
 * Changes entries. Those that are asked for while others are on their way to the disk go together, in their order, in one
 * transaction: the disk is waited for once and not once each. Where it fails, all of them fail.
 */
export function gatheredUpdates(database: CaptureDatabase): OutboxStore['update'] {
  const write = batch((updates: readonly Update[]) => writeTogether(database, updates));
  return (id, change) => write({ id, change });
}

function writeTogether(
  database: CaptureDatabase,
  updates: readonly Update[],
): Promise<readonly (OutboxEntry | null)[]> {
  return database.write(['entries'], async (transaction) => {
    const entries = transaction.objectStore('entries');
    const results: (OutboxEntry | null)[] = [];
    for (const { id, change } of updates) {
      const entry = await entries.get(id);
      const next = entry ? change(entry) : null;
      if (next) await entries.put(next);
      results.push(next);
    }
    return results;
  });
}
