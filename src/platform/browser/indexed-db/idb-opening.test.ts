import type { IDBPDatabase } from 'idb';
import { expect, it } from 'vitest';
import { beginTransaction } from './idb-opening.ts';

/** A database whose next transactions are of these modes, and the transactions that were begun. */
function databaseOf(...modes: string[]) {
  const begun: { readonly mode: string; isAborted: boolean }[] = [];
  const database = {
    transaction() {
      const transaction = {
        mode: modes[begun.length]!,
        isAborted: false,
        abort: () => void (transaction.isAborted = true),
        done: Promise.reject(new Error('AbortError')),
      };
      begun.push(transaction);
      return transaction;
    },
  };
  return { begun, database: database as unknown as IDBPDatabase };
}

it.each(['readonly', 'readwrite'] as const)('begins one transaction that is %s', (mode) => {
  const { begun, database } = databaseOf(mode);
  const transaction = beginTransaction(database, ['images'], mode);
  transaction.done.catch(() => undefined);
  expect(transaction).toBe(begun[0]);
  expect(begun).toMatchObject([{ mode, isAborted: false }]);
});

it('gives up the one that can only delete, as Firefox begins it after a full disk', () => {
  const { begun, database } = databaseOf('cleanup', 'readwrite');
  const transaction = beginTransaction(database, ['images'], 'readwrite');
  transaction.done.catch(() => undefined);
  expect(transaction).toBe(begun[1]);
  expect(begun).toMatchObject([
    { mode: 'cleanup', isAborted: true },
    { mode: 'readwrite', isAborted: false },
  ]);
});
