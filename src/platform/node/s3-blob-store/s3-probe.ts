import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { connectToS3 } from './s3-connection.ts';
import { askS3 } from './s3-failure.ts';
import type { S3Place } from './s3-place.ts';

/** Asks a bucket whether it can be used. */
export interface S3Probe {
  /** @throws StoreError `unavailable`, in words, where it does not answer within the limit */
  ask(): Promise<void>;
  close(): void;
}

export function s3Probe(place: S3Place, limitMs: number): S3Probe {
  const patience = { connectMs: limitMs, silenceMs: limitMs, attempts: 1 };
  // who asks tells what is wrong
  const connection = connectToS3(place, { onFailure: () => undefined, patience });
  const command = new ListObjectsV2Command({ Bucket: place.bucket, Prefix: `${place.prefix}blobs/`, MaxKeys: 1 });
  return {
    async ask() {
      await askS3(connection, 'be read', () => connection.client.send(command));
    },
    close: () => connection.client.destroy(),
  };
}
