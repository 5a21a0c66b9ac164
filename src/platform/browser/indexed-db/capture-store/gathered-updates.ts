import { captureOf, type OutboxEntry } from '../../../../remote/outbox/outbox-entry.ts';
import type { OutboxStore } from '../../../../remote/outbox/outbox-store.ts';
import { batch } from '../../../../base/schedule/batch.ts';
import type { CaptureDatabase } from './capture-database.ts';

interface Update {
  readonly id: string;
  readonly change: (entry: OutboxEntry, ofCapture: readonly OutboxEntry[]) => OutboxEntry | null;
  /** whether `change` is given the entries of the same capture */
  readonly isAmong: boolean;
}

/**
 * Changes entries. Those that are asked for while others are on their way to the disk go together, in their order, in one
 * transaction: the disk is waited for once and not once each. Where it fails, all of them fail.
 */
export function gatheredUpdates(database: CaptureDatabase): Pick<OutboxStore, 'update' | 'updateAmong'> {
  const write = batch((updates: readonly Update[]) => writeTogether(database, updates));
  return {
    update: (id, change) => write({ id, change, isAmong: false }),
    updateAmong: (id, change) => write({ id, change, isAmong: true }),
  };
}

function writeTogether(
  database: CaptureDatabase,
  updates: readonly Update[],
): Promise<readonly (OutboxEntry | null)[]> {
  return database.write(['entries'], async (transaction) => {
    const store = transaction.objectStore('entries');
    // All are read at once, and each is written once: every request is a way to another process and back.
    const known = await readAll(
      updates.map(({ id }) => id),
      (id) => store.get(id),
    );
    const captureIds = updates.map(({ id, isAmong }) => (isAmong && known.get(id) ? captureOf(known.get(id)!) : null));
    const ofCaptures = await readAll(
      captureIds.filter((id) => id !== null),
      (captureId) => store.index('capture').getAll(captureId),
    );
    const changed = new Map<string, OutboxEntry>();
    const results = updates.map(({ id, change }, at) => {
      const entry = changed.get(id) ?? known.get(id);
      const ofCapture = (ofCaptures.get(captureIds[at] ?? '') ?? []).map((one) => changed.get(one.id) ?? one);
      const next = entry ? change(entry, ofCapture) : null;
      if (next) changed.set(id, next);
      return next;
    });
    // async: a put may throw at once, and those before it must not be left alone
    await Promise.all([...changed.values()].map(async (entry) => store.put(entry)));
    return results;
  });
}

async function readAll<Item>(
  keys: readonly string[],
  read: (key: string) => Promise<Item>,
): Promise<Map<string, Item>> {
  return new Map(await Promise.all([...new Set(keys)].map(async (key) => [key, await read(key)] as const)));
}
