import type { BlobStore } from '../../data-service/face/hosts.ts';
import { s3BlobStore } from '../../platform/node/s3-blob-store/s3-blob-store.ts';
import { connectToS3 } from '../../platform/node/s3-blob-store/s3-connection.ts';
import type { S3Place } from '../../platform/node/s3-blob-store/s3-place.ts';
import { systemClock } from '../../server/start-data-host.ts';

/** The files of a bucket, for a command that ends: what fails, it says itself. */
export function openBucket(place: S3Place): { readonly blobs: BlobStore; close(): void } {
  const connection = connectToS3(place, { onFailure: () => undefined });
  return { blobs: s3BlobStore(connection, systemClock), close: () => connection.client.destroy() };
}
