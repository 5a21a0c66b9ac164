import type { SeenTime } from '../../data-service/face/captures.ts';
import { seenTimeFile } from '../../platform/node/seen-time-file.ts';
import { systemClock } from '../../server/start-data-host.ts';
import { isoTime } from './iso-time.ts';
import { openAdministration } from './database-address.ts';
import { requireData } from './require-data.ts';
import type { Terminal } from '../shared/run-frames.ts';
import type { ClockArguments } from './data-records.ts';

/**
 * Runs `sightglass clock`: says that the clock of this computer is right. Servers of the folder, or of the database
 * in its place, then delete again what is older than it is kept.
 * @param command parsed arguments
 * @param terminal receives the last time that was seen, and the time now
 * @returns exit code: 0
 * @throws CliError not-found
 * @example
 * await confirmClock({ name: 'clock', dataDir: '/missing', database: null }, { print() {}, say() {} }); // throws: There is no data of Sightglass in "/missing"
 */
export async function confirmClock({ dataDir, database }: ClockArguments, { print }: Terminal): Promise<number> {
  if (database !== null) {
    const { installation, close } = await openAdministration(database);
    try {
      return await confirm(installation.seenTime, print);
    } finally {
      await close();
    }
  }
  requireData(dataDir);
  return confirm(await seenTimeFile(dataDir), print);
}

async function confirm(seen: SeenTime, print: Terminal['print']): Promise<number> {
  const [before, now] = [await seen.read(), systemClock.now()];
  await seen.write(now);
  print({ clock: 'confirmed', lastSeen: before === null ? null : isoTime(before), now: isoTime(now) });
  return 0;
}
