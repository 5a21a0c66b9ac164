import { AbortMultipartUploadCommand, DeleteObjectCommand } from '@aws-sdk/client-s3';
import type { BlobStore, Clock } from '../../../data-service/face/hosts.ts';
import { runningSha256 } from '../running-sha256.ts';
import type { S3Connection } from './s3-connection.ts';
import { askS3, isAbsent } from './s3-failure.ts';
import { S3Keys } from './s3-keys.ts';
import { listS3 } from './s3-list.ts';
import { openS3Blob } from './s3-open-blob.ts';
import { S3Put } from './s3-put.ts';

/**
 * Blobs as objects of a bucket, for many hosts. A put is durable before the row that names it: what a host leaves that
 * dies in between has no row, and is swept by its age. Which record owns a blob is said by the database alone.
 */
export function s3BlobStore(connection: S3Connection, clock: Clock): BlobStore {
  const { client, place } = connection;
  const keys = new S3Keys(place.prefix);

  return {
    async put(content, signal) {
      signal.throwIfAborted();
      const address = keys.newAddress();
      const hash = runningSha256();
      const put = new S3Put(connection, keys.keyOf(address), signal);
      try {
        for await (const chunk of content) {
          signal.throwIfAborted();
          hash.update(chunk);
          await put.write(chunk);
        }
        signal.throwIfAborted();
        const sizeBytes = await put.finish();
        return { address, sha256: hash.end(), sizeBytes };
      } catch (error) {
        await put.giveUp();
        throw error;
      }
    },

    async open(address) {
      const addressed = keys.read(address);
      return addressed?.kind === 'whole' ? openS3Blob(connection, addressed.key, address) : null;
    },

    hash: runningSha256,

    async delete(address) {
      const addressed = keys.read(address);
      if (addressed === null) return;
      const object = { Bucket: place.bucket, Key: addressed.key };
      await askS3(connection, 'delete a file', async () => {
        if (addressed.kind === 'whole') return client.send(new DeleteObjectCommand(object));
        const upload = { ...object, UploadId: addressed.uploadId };
        return client.send(new AbortMultipartUploadCommand(upload)).catch(absentAsNull);
      });
    },

    list: () => listS3(connection, keys, clock),
  };
}

function absentAsNull(error: unknown): null {
  if (isAbsent(error)) return null;
  throw error;
}
