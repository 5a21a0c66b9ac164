import type { CaptureStore } from '../../../../evidence/capture/capture-store.ts';
import type { OutboxStore } from '../../../../remote/outbox/outbox-store.ts';
import { CaptureDatabase } from './capture-database.ts';
import { idbCaptureStore } from './idb-capture-store.ts';
import { idbOutboxStore } from './idb-outbox-store.ts';
import { idbTargetKeys, type OpenTargetKeys } from './idb-target-keys.ts';

export interface OpenCaptures {
  readonly captures: CaptureStore;
  readonly outbox: OutboxStore;
  readonly keys: OpenTargetKeys;
  close(): Promise<void>;
}

/** Captures, the outbox and the keys of its targets in one database of the browser, opened by the first call. */
export function openCaptures(databaseName = 'sightglass-captures'): OpenCaptures {
  const database = new CaptureDatabase(databaseName);
  const keys = idbTargetKeys(database, `${databaseName}-keys`);
  return {
    captures: idbCaptureStore(database),
    outbox: idbOutboxStore(database),
    keys,
    async close() {
      keys.close();
      await database.close();
    },
  };
}
