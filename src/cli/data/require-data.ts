import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFile } from '../../platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { CliError } from '../record/cli-error.ts';

/**
 * Refuses a folder without data: a mistyped one is not to be made on the way.
 * @throws CliError not-found, which says what to do
 */
export function requireData(dataDir: string, whatToDo = 'give the folder by --data.'): void {
  if (existsSync(join(dataDir, databaseFile))) return;
  throw new CliError('not-found', `There is no data of Sightglass in "${dataDir}"; ${whatToDo}`);
}
