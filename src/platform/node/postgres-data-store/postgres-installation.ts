import { randomUUID } from 'node:crypto';
import { firstCheckState, type CheckState, type KeptCheckState } from '../../../data-service/ports/check-state.ts';
import type { SeenTime } from '../../../data-service/ports/seen-time.ts';
import type { PostgresDatabase } from './postgres-database.ts';

/** What the hosts of one database share beside its data. */
export interface Installation {
  /**
   * Whether this host is the one that does a task now: the first to ask, for so long, and again whenever it asks before that is over.
   * The database's clock counts. A host that ends in the middle keeps the others from the task until its time is over.
   */
  takes(task: string, forMs: number): Promise<boolean>;
  /** of any host, whichever was later: one whose clock is behind does not make the others look ahead */
  readonly seenTime: SeenTime;
  readonly checkState: KeptCheckState;
}

export function postgresInstallation(database: PostgresDatabase): Installation {
  const owner = randomUUID();
  const read = async (name: string): Promise<string | null> => {
    const [row] = await database.rows('SELECT value FROM installation_state WHERE name = $1', name);
    return (row?.['value'] as string | undefined) ?? null;
  };
  const write = async (name: string, value: string, unless = 'false'): Promise<void> => {
    await database.write((statements) =>
      statements.run(
        `INSERT INTO installation_state AS held VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE NOT (${unless})`,
        name,
        value,
      ),
    );
  };
  return {
    async takes(task, forMs) {
      const taken = await database.write((statements) =>
        statements.run(
          `INSERT INTO leases AS held VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
           ON CONFLICT (task) DO UPDATE SET owner = excluded.owner, until = excluded.until
           WHERE held.owner = excluded.owner OR held.until < clock_timestamp()`,
          task,
          owner,
          forMs,
        ),
      );
      return taken > 0;
    },
    seenTime: {
      async read() {
        const time = await read('seen-time');
        return time === null ? null : Number(time);
      },
      write: (time) =>
        write('seen-time', String(time), 'held.value::double precision > excluded.value::double precision'),
    },
    checkState: {
      async read() {
        const kept = await read('file-check');
        return kept === null ? firstCheckState : { ...firstCheckState, ...(JSON.parse(kept) as Partial<CheckState>) };
      },
      write: (state) => write('file-check', JSON.stringify(state)),
    },
  };
}
