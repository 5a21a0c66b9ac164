import { serverAddresses } from '../../platform/node/postgres-data-store/server-addresses.ts';
import { parseS3Place, type S3Place } from '../../platform/node/s3-blob-store/s3-place.ts';
import { made, option, together, usual, type Field } from '../record/field.ts';
import type { Given } from '../record/given.ts';
import { text } from '../record/kinds.ts';
import { UsageError } from '../record/usage-error.ts';

/** Where a PostgreSQL database is: its address, or the file that holds it, since it may hold a password. */
export type DatabaseAddress = { readonly url: string } | { readonly file: string };

/** What many hosts may serve at once. */
export interface SharedPlace {
  readonly database: DatabaseAddress;
  readonly blobs: S3Place;
}

/** Where a folder of data is. */
export const dataDir = usual('--data DIR', 'folder of its data', text, 'sightglass-data', './sightglass-data');

/** Options about one disk. The room of a database and a bucket is bounded by whoever keeps them. */
const ofDisks = ['disk-budget', 'over-budget', 'keep-free'];

const [addressVariable, fileVariable] = ['SIGHTGLASS_DATABASE', 'SIGHTGLASS_DATABASE_FILE'];

const addressText =
  'postgres://USER@HOST/NAME, which any number of hosts serve. An address with a password is in the variable SIGHTGLASS_DATABASE, or in the file that SIGHTGLASS_DATABASE_FILE names';

/** The database that a command is told of; null: none, so that it is about a folder. */
export const database: Field<DatabaseAddress | null> = made(
  option('--database URL', `instead of --data: ${addressText}`),
  readDatabase,
);

/** The database and the bucket that a command is told of; null: it is about a folder. */
export const sharedPlace: Field<SharedPlace | null> = together(
  {
    address: made(option('--database URL', `instead of --data, with --blobs: ${addressText}`), readDatabase),
    bucket: option(
      '--blobs URL',
      "s3://BUCKET/PREFIX?endpoint=URL&region=NAME. Its keys are where AWS's tools look: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY among others",
    ),
  },
  ({ address, bucket }, given) => {
    if (address === null && bucket === null) return null;
    if (address === null)
      throw new UsageError(`--blobs goes with a database: --database, or ${addressVariable} in the environment.`);
    if (bucket === null)
      throw new UsageError('--database goes with --blobs s3://BUCKET, where the bytes of files are kept.');
    const place = parseS3Place(bucket);
    if ('wrong' in place)
      throw new UsageError(`--blobs wants s3://BUCKET/PREFIX?endpoint=https://HOST&region=NAME: ${place.wrong}.`);
    const ofDisk = ofDisks.find((name) => given.has(name));
    if (ofDisk !== undefined)
      throw new UsageError(
        `--${ofDisk} is about the disk of a folder; bound the room of the database and the bucket there.`,
      );
    return { database: address, blobs: place };
  },
);

/** @throws UsageError where several places are named, or a password is */
function readDatabase(option: string | null, { environment, one }: Given): DatabaseAddress | null {
  const [address, file] = [environment[addressVariable], environment[fileVariable]];
  const named = { '--data': one('data'), '--database': option, [addressVariable]: address, [fileVariable]: file };
  const places = Object.entries(named).filter(([, value]) => value);
  if (places.length > 1) {
    throw new UsageError(`${places.map(([name]) => name).join(' and ')} name several places for the data; give one.`);
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
