import {
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type ListMultipartUploadsCommandInput,
  type ListMultipartUploadsCommandOutput,
  type ListObjectsV2CommandOutput,
} from '@aws-sdk/client-s3';
import type { Clock, ListedBlob } from '../../../data-service/face/hosts.ts';
import type { Micros } from '../../../data-service/face/captures.ts';
import type { S3Connection } from './s3-connection.ts';
import { askS3, statusOf } from './s3-failure.ts';
import type { S3Keys } from './s3-keys.ts';

/**
 * Lists whole blobs, then uploads in parts that were begun. Their age is told by the store's clock alone, which all
 * hosts share: one whose own clock is wrong neither makes its blobs look old nor takes those of others for old.
 */
export async function* listS3(connection: S3Connection, keys: S3Keys, clock: Clock): AsyncGenerator<ListedBlob, void> {
  const timeOf = (listedMs: number, storedMs: number): Micros =>
    clock.now() - Math.max(0, Math.round((listedMs - storedMs) * 1000));

  for await (const [{ Contents = [] }, listedMs] of pagesOfObjects(connection, keys)) {
    for (const { Key = '', LastModified } of Contents) {
      const address = keys.addressOf(Key);
      if (address !== null && LastModified) yield { address, timeStored: timeOf(listedMs, LastModified.getTime()) };
    }
  }
  for await (const [{ Uploads = [] }, listedMs] of pagesOfUploads(connection, keys)) {
    for (const { Key = '', UploadId = '', Initiated } of Uploads) {
      const address = keys.unfinishedAddressOf(Key, UploadId);
      if (address !== null && Initiated) yield { address, timeStored: timeOf(listedMs, Initiated.getTime()) };
    }
  }
}

type Page<Output> = readonly [output: Output, listedMs: number];

async function* pagesOfObjects(
  connection: S3Connection,
  { folder }: S3Keys,
): AsyncGenerator<Page<ListObjectsV2CommandOutput>, void> {
  let after: string | undefined;
  do {
    const place = { Bucket: connection.place.bucket, Prefix: folder };
    const command = new ListObjectsV2Command(after === undefined ? place : { ...place, ContinuationToken: after });
    const timed = timeAnswer(command.middlewareStack);
    const page = await askS3(connection, 'list its files', () => connection.client.send(command));
    yield [page, timed()];
    after = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (after !== undefined);
}

async function* pagesOfUploads(
  connection: S3Connection,
  { folder }: S3Keys,
): AsyncGenerator<Page<ListMultipartUploadsCommandOutput>, void> {
  let after: Pick<ListMultipartUploadsCommandInput, 'KeyMarker' | 'UploadIdMarker'> | null = {};
  while (after !== null) {
    const place = { Bucket: connection.place.bucket, Prefix: folder };
    const command: ListMultipartUploadsCommand = new ListMultipartUploadsCommand({ ...place, ...after });
    const timed = timeAnswer(command.middlewareStack);
    const page = await askS3(connection, 'list what was begun', () => connection.client.send(command).catch(none));
    yield [page, timed()];
    const { IsTruncated = false, NextKeyMarker, NextUploadIdMarker } = page;
    after =
      IsTruncated && NextKeyMarker !== undefined
        ? {
            KeyMarker: NextKeyMarker,
            ...(NextUploadIdMarker === undefined ? {} : { UploadIdMarker: NextUploadIdMarker }),
          }
        : null;
  }
}

/** Some stores cannot list them, and clean up by themselves. */
function none(error: unknown): ListMultipartUploadsCommandOutput {
  if (statusOf(error) === 501) return { $metadata: {} };
  throw error;
}

/** What time it is by the clock of the store that answers; this host's, where it does not say. */
function timeAnswer(stack: ListObjectsV2Command['middlewareStack'] | ListMultipartUploadsCommand['middlewareStack']) {
  let time = Date.now();
  (stack as ListObjectsV2Command['middlewareStack']).add(
    (next) => async (args) => {
      const result = await next(args);
      const { headers } = result.response as { readonly headers?: Readonly<Record<string, string>> };
      const said = Date.parse(headers?.['date'] ?? '');
      if (!Number.isNaN(said)) time = said;
      return result;
    },
    { step: 'deserialize', name: 'storeTime' },
  );
  return (): number => time;
}
