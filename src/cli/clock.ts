import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { seenTimeFile } from '../platform/node/seen-time-file.ts';
import { databaseFile } from '../platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { systemClock } from '../server/start-data-host.ts';
import { CliError } from './cli-error.ts';
import type { Terminal } from './run-frames.ts';
import type { FolderArguments } from './serve-arguments.ts';

/**
 * Runs `sightglass clock`: says that the clock of this computer is right. A server on the folder then deletes again
 * what is older than it is kept.
 * @param command parsed arguments
 * @param terminal receives the last time that was seen, and the time now
 * @returns exit code: 0
 * @throws CliError not-found
 * @example
 * await confirmClock({ dataDir: '/missing' }, { print() {}, say() {} }); // throws: There is no data of Sightglass in "/missing"
 */
export async function confirmClock({ dataDir }: FolderArguments, { print }: Terminal): Promise<number> {
  if (!existsSync(join(dataDir, databaseFile)))
    throw new CliError('not-found', `There is no data of Sightglass in "${dataDir}"; give the folder by --data.`);
  const seen = await seenTimeFile(dataDir);
  const [before, now] = [await seen.read(), systemClock.now()];
  await seen.write(now);
  print({ clock: 'confirmed', lastSeen: before === null ? null : isoOf(before), now: isoOf(now) });
  return 0;
}

const isoOf = (time: number): string => new Date(Math.floor(time / 1000)).toISOString();
