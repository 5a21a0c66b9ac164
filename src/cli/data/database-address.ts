import { readFile } from 'node:fs/promises';
import { serviceActor } from '../../data-service/face/accounts.ts';
import type {
  PostgresAdministration,
  PostgresDataStore,
} from '../../platform/node/postgres-data-store/open-postgres-data-store.ts';
import { CliError } from '../record/cli-error.ts';
import { databaseUrl, type DatabaseAddress, type SharedPlace } from './shared-place.ts';

/** The address of a database, with its password. @throws CliError where its file has none; messages never repeat the text */
export async function readDatabaseAddress(address: DatabaseAddress): Promise<string> {
  if ('url' in address) return address.url;
  const text = await readFile(address.file, 'utf8');
  try {
    return databaseUrl(text, `The file "${address.file}"`);
  } catch (error) {
    throw new CliError('bad-database', (error as Error).message);
  }
}

/** A database and a bucket as a person is told them, without secrets. */
export const nameOfShared = (database: string, { bucket, prefix }: SharedPlace['blobs']): string =>
  `${database} with s3://${bucket}/${prefix}`;

/** Opens what the commands look after that ask for no data. @throws CliError or StoreError where it cannot be opened */
export async function openAdministration(
  address: DatabaseAddress,
  actor = serviceActor,
): Promise<PostgresAdministration> {
  const url = await readDatabaseAddress(address);
  // only where it is asked for: most have no such database
  const { openPostgresAdministration } =
    await import('../../platform/node/postgres-data-store/open-postgres-data-store.ts');
  const administration = await openPostgresAdministration(url, actor);
  try {
    await requireNoMove(administration);
  } catch (error) {
    await administration.close();
    throw error;
  }
  return administration;
}

/** @throws CliError while a move into the database is unfinished: when it goes on, it deletes what was changed meanwhile */
export async function requireNoMove({
  place,
  installation,
}: Pick<PostgresDataStore, 'place' | 'installation'>): Promise<void> {
  if ((await installation.unfinishedMove.read()) === null) return;
  throw new CliError(
    'unfinished-move',
    `The database ${place} holds a move that is not finished. Run "sightglass move" again, or empty it.`,
  );
}
