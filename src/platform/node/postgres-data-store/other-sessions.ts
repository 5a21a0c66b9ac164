import { setTimeout } from 'node:timers/promises';
import { StoreError } from '../../../data-service/face/stores.ts';
import { applicationName, PostgresDatabase } from './postgres-database.ts';

/** A process that was killed has a session until its statement ends. */
const patienceMs = 10_000;
const askedEveryMs = 250;

/**
 * Waits until no other process of ours has the database open, as far as its server tells: it hides the sessions of other users.
 * @throws StoreError `unavailable` where one stays
 */
export async function requireAlone(url: string): Promise<void> {
  const { count, place } = await otherSessions(url);
  if (count === 0) return;
  throw new StoreError(
    'unavailable',
    `The database ${place} is in use: ${count} connections of Sightglass are open. Stop all hosts that serve it, and try again.`,
  );
}

/** How many sessions of ours a database has that stay open. This process must have none. */
export async function otherSessions(url: string): Promise<{ readonly count: number; readonly place: string }> {
  const database = new PostgresDatabase(url, { connections: 1 });
  try {
    for (const beganMs = performance.now(); ; await setTimeout(askedEveryMs)) {
      const [found] = await database.rows(
        `SELECT count(*) AS count FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = $1 AND pid <> pg_backend_pid()`,
        applicationName,
      );
      const count = found!['count'] as number;
      if (count === 0 || performance.now() - beganMs > patienceMs) return { count, place: database.place };
    }
  } finally {
    await database.close();
  }
}
