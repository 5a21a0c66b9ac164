import { PostgresDatabase } from './postgres-database.ts';

/** Asks a database whether it can be used, over a connection of its own: calls may have taken all others. */
export interface PostgresProbe {
  /** @throws StoreError `unavailable`, in words, where it does not answer within the limit, or takes no writes */
  ask(): Promise<void>;
  close(): Promise<void>;
}

export function postgresProbe(url: string, limitMs: number): PostgresProbe {
  const database = new PostgresDatabase(url, {
    connections: 1,
    connectTimeoutMs: limitMs,
    statementTimeoutMs: limitMs,
  });
  return {
    // a standby refuses to begin it
    ask: () => database.write(() => Promise.resolve()),
    close: () => database.close(),
  };
}
