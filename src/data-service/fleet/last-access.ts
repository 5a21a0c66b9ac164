import { everyFileOf, everyReadingOf } from '../ports/capture-filter.ts';
import type { DataStore } from '../ports/data-store.ts';
import type { Part } from '../ports/access-store.ts';
import type { Micros } from '../ports/stored-captures.ts';

/** When the newest capture of a part arrived, of files and of readings; null: nothing of it is stored. */
export async function lastAccess(
  { binary, tabular }: Pick<DataStore, 'binary' | 'tabular'>,
  { organizationId, id: partId }: Part,
): Promise<Micros | null> {
  const newest = { order: 'descending', after: null, limit: 1 } as const;
  const [[file], [reading]] = await Promise.all([
    binary.page({ ...newest, filter: { ...everyFileOf(organizationId), partId } }),
    tabular.page({ ...newest, filter: { ...everyReadingOf(organizationId), partId } }),
  ]);
  return latestOf([file?.timeSynced ?? null, reading?.timeSynced ?? null]);
}

/** The latest of times; null where there is none. */
export const latestOf = (times: readonly (Micros | null)[]): Micros | null =>
  times.reduce((latest, time) => (latest === null || (time !== null && time > latest) ? time : latest), null);
