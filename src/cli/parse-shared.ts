import { serverAddresses } from '../platform/node/postgres-data-store/server-addresses.ts';
import { parseS3Place } from '../platform/node/s3-blob-store/s3-place.ts';
import { filled, type OptionValues } from './parse-options.ts';
import type { DatabaseAddress, SharedPlace } from './serve-arguments.ts';
import { UsageError } from './usage.ts';

/** The options of what many hosts may serve. */
export const sharedOptions = ['database', 'blobs'];

/** What is told of one disk. The room of a database and a bucket is bounded by whoever keeps them. */
const ofDisks = ['disk-budget', 'over-budget', 'keep-free'];

const [addressVariable, fileVariable] = ['SIGHTGLASS_DATABASE', 'SIGHTGLASS_DATABASE_FILE'];

type Environment = Readonly<Record<string, string | undefined>>;

/** The database and bucket that `serve` is told of; null: it serves a folder. @throws UsageError */
export function parseShared(values: OptionValues, environment: Environment): SharedPlace | null {
  const database = parseDatabase(values, environment);
  const blobs = filled('blobs', values);
  if (database === null && blobs === null) return null;
  if (database === null) {
    throw new UsageError(`--blobs goes with a database: --database, or ${addressVariable} in the environment.`);
  }
  if (blobs === null) {
    throw new UsageError('--database goes with --blobs s3://BUCKET, where the bytes of files are kept.');
  }
  const place = parseS3Place(blobs);
  if ('wrong' in place) {
    throw new UsageError(`--blobs wants s3://BUCKET/PREFIX?endpoint=https://HOST&region=NAME: ${place.wrong}.`);
  }
  const ofDisk = ofDisks.find((option) => values.one(option) !== null);
  if (ofDisk !== undefined) {
    throw new UsageError(
      `--${ofDisk} is about the disk of a folder; bound the room of the database and the bucket there.`,
    );
  }
  return { database, blobs: place };
}

/** The database that a command is told of; null: none, so that it is about a folder. @throws UsageError */
export function parseDatabase(values: OptionValues, environment: Environment): DatabaseAddress | null {
  const [option, address, file] = [filled('database', values), environment[addressVariable], environment[fileVariable]];
  const named = {
    '--data': values.one('data'),
    '--database': option,
    [addressVariable]: address,
    [fileVariable]: file,
  };
  const given = Object.entries(named).filter(([, value]) => value);
  if (given.length > 1) {
    throw new UsageError(`${given.map(([name]) => name).join(' and ')} name several places for the data; give one.`);
  }
  if (file) return { file };
  if (address) return { url: databaseUrl(address, addressVariable) };
  if (option === null) return null;
  const url = databaseUrl(option, '--database');
  if (hasPassword(url)) {
    throw new UsageError(
      `--database has a password, which other users of this machine can read there; put the address into ${addressVariable}, or into a file that ${fileVariable} names.`,
    );
  }
  return { url };
}

/** @param from as messages call it: they never repeat the text, which may hold a password. @throws UsageError */
export function databaseUrl(text: string, from: string): string {
  const url = text.trim();
  const addresses = serverAddresses(url);
  if (!('wrong' in addresses)) return url;
  throw new UsageError(
    `${from} wants an address as postgres://USER@HOST:5432/NAME?sslmode=verify-full, or postgres://USER@ONE,OTHER/NAME: ${addresses.wrong}.`,
  );
}

function hasPassword(text: string): boolean {
  const addresses = serverAddresses(text);
  const urls = 'wrong' in addresses ? [] : addresses.urls.map((url) => new URL(url));
  return urls.some(({ password, searchParams }) => password !== '' || searchParams.has('password'));
}
