import { randomUUID } from 'node:crypto';
import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import type { S3Connection } from './s3-connection.ts';
import { askS3, statusOf } from './s3-failure.ts';

/** What a store does with many puts of one key of which each asks to be the first. */
export interface ConditionalPuts {
  /** how many were told that they were; one where the store keeps the condition */
  readonly winners: number;
  readonly asked: number;
}

const asked = 32;

/**
 * Puts one key 32 times at once, each with `If-None-Match: *`. Nothing here relies on the condition, and several stores
 * let many win; a keeper who adds tools of their own to the bucket should know. It also shows at the start whether the
 * bucket can be written.
 * @throws StoreError where the bucket cannot be written
 */
export async function probeConditionalPuts(connection: S3Connection): Promise<ConditionalPuts> {
  const { client, place } = connection;
  const object = { Bucket: place.bucket, Key: `${place.prefix}probe/${randomUUID()}` };
  const put = async (): Promise<boolean> => {
    try {
      await client.send(new PutObjectCommand({ ...object, Body: 'probe', IfNoneMatch: '*' }));
      return true;
    } catch (error) {
      // lost; 409: to another one under way; 501: the store knows no conditions
      if ([409, 412].includes(statusOf(error) ?? 0)) return false;
      if (statusOf(error) === 501) return true;
      throw error;
    }
  };
  return askS3(connection, 'be written to', async () => {
    const results = await Promise.allSettled(Array.from({ length: asked }, put));
    await client.send(new DeleteObjectCommand(object));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    return { winners: results.filter((result) => result.status === 'fulfilled' && result.value).length, asked };
  });
}
