import type { OutboxState } from '../../../../remote/outbox/outbox-entry.ts';
import type { OutboxStore } from '../../../../remote/outbox/outbox-store.ts';
import type { CaptureDatabase } from './capture-database.ts';
import { gatheredUpdates } from './gathered-updates.ts';
import { readRange } from '../data-store/read-range.ts';

/** The outbox in IndexedDB, beside the captures. */
export function idbOutboxStore(database: CaptureDatabase): OutboxStore {
  return {
    add: (added) =>
      database.write(['entries'], async (transaction) => {
        const entries = transaction.objectStore('entries');
        const stands = [];
        for (const entry of added) {
          const there = await entries.index('digest').get(entry.digest);
          if (!there) await entries.add(entry);
          stands.push(there ?? entry);
        }
        return stands;
      }),
    get: (id) => database.read(['entries'], async (tx) => (await tx.objectStore('entries').get(id)) ?? null),
    page: (state, before, limit) =>
      database.read(['entries'], (transaction) => {
        const entries = transaction.objectStore('entries');
        if (state !== null) {
          const range = IDBKeyRange.bound([state, ''], [state, before ?? []], false, true);
          return readRange(entries.index('state'), range, 'descending', limit);
        }
        const range = before === null ? IDBKeyRange.lowerBound('') : IDBKeyRange.upperBound(before, true);
        return readRange(entries, range, 'descending', limit);
      }),
    counts: () =>
      database.read(['entries'], async (transaction) => {
        const index = transaction.objectStore('entries').index('state');
        const count = (state: OutboxState): Promise<number> => index.count(allIn(state));
        const [waiting, sending, sent, failed] = await Promise.all([
          count('waiting'),
          count('sending'),
          count('sent'),
          count('failed'),
        ]);
        return { waiting: waiting!, sending: sending!, sent: sent!, failed: failed! };
      }),
    queues: (limit) =>
      database.read(['settings', 'targets', 'entries'], async (transaction) => {
        if ((await transaction.objectStore('settings').get(pausedKey)) === 1) return [];
        const index = transaction.objectStore('entries').index('waiting');
        const targets = await transaction.objectStore('targets').getAll();
        const waiting = await Promise.all(
          targets.map(({ id }) => index.getAll(IDBKeyRange.bound([id], [id, []]), limit)),
        );
        return targets.map((target, at) => ({ target, waiting: waiting[at]! }));
      }),
    inState: (state) =>
      database.read(['entries'], (tx) => tx.objectStore('entries').index('state').getAll(allIn(state))),
    ofCapture: (captureId) =>
      database.read(['entries'], (tx) => tx.objectStore('entries').index('capture').getAll(captureId)),
    ...gatheredUpdates(database),
    remove: (ids) =>
      database.write(['entries'], async (transaction) => {
        for (const id of ids) await transaction.objectStore('entries').delete(id);
      }),
    targets: () => database.read(['targets'], (tx) => tx.objectStore('targets').getAll()),
    target: (id) => database.read(['targets'], async (tx) => (await tx.objectStore('targets').get(id)) ?? null),
    putTarget: (target) =>
      database.write(['targets'], async (tx) => void (await tx.objectStore('targets').put(target))),
    updateTarget: (id, change) =>
      database.write(['targets'], async (transaction) => {
        const targets = transaction.objectStore('targets');
        const target = await targets.get(id);
        if (target) await targets.put(change(target));
      }),
    removeTarget: (id) => database.write(['targets'], (tx) => tx.objectStore('targets').delete(id)),
    paused: () => database.read(['settings'], async (tx) => (await tx.objectStore('settings').get(pausedKey)) === 1),
    setPaused: (paused) =>
      database.write(
        ['settings'],
        async (tx) => void (await tx.objectStore('settings').put(paused ? 1 : 0, pausedKey)),
      ),
    onChange: (listener) => database.onChange(listener),
  };
}

const pausedKey = 'paused';

const allIn = (state: OutboxState): IDBKeyRange => IDBKeyRange.bound([state], [state, []]);
