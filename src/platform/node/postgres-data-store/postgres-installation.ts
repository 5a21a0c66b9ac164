import {
  type CheckState,
  firstCheckState,
  type KeptCheckState,
  type MoveMark,
  type UnfinishedMove,
} from '../../../data-service/face/stores.ts';
import type { SeenTime } from '../../../data-service/face/captures.ts';
import type { PostgresDatabase } from './postgres-database.ts';

/** What the hosts of one database share beside its data. */
export interface Installation {
  /** the latest time that any host has seen: a host whose clock is behind does not make the others look ahead */
  readonly seenTime: SeenTime;
  readonly checkState: KeptCheckState;
  /** the unfinished move into this database */
  readonly unfinishedMove: UnfinishedMove;
}

export function postgresInstallation(database: PostgresDatabase): Installation {
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
    unfinishedMove: {
      async read() {
        const kept = await read('unfinished-move');
        return kept === null ? null : (JSON.parse(kept) as MoveMark | null);
      },
      write: (mark) => write('unfinished-move', JSON.stringify(mark)),
    },
  };
}
