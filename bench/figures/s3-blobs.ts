import { randomFillSync } from 'node:crypto';
import { CompleteMultipartUploadCommand, CreateMultipartUploadCommand, UploadPartCommand } from '@aws-sdk/client-s3';
import { connectToS3, type S3Connection } from '../../src/platform/node/s3-blob-store/s3-connection.ts';
import { s3BlobStore } from '../../src/platform/node/s3-blob-store/s3-blob-store.ts';
import { startVersitygw, versitygw } from '../../tests/s3/versitygw.ts';
import { timedCalls } from '../at-a-time.ts';
import { median, medianRatio, type Figure, type Measurement } from '../figure.ts';

const rounds = 9;
const atATime = 8;
const mebibyte = 2 ** 20;
const partBytes = 8 * mebibyte;
const sizes = [
  { mebibytes: 1, blobs: 64, atLeast: 0.8 },
  { mebibytes: 32, blobs: 8, atLeast: undefined },
];
/** in which a request's body reaches the store */
const chunkBytes = 64 * 1024;
const never = new AbortController().signal;

export const figure: Figure = {
  title: 'blobs put into a bucket by the store, which hashes them, against bare multipart puts by the same client',
  async measure({ note, at }) {
    if (versitygw === null) {
      note('left out: there is no versitygw here');
      return [];
    }
    const s3 = await startVersitygw();
    const connection = connectToS3(s3.place, {
      credentials: s3.credentials,
      onFailure: ({ message }) => note(message),
    });
    const store = s3BlobStore(connection, { now: () => Date.now() * 1000 });
    try {
      const measurements: Measurement[] = [];
      for (const { mebibytes, blobs, atLeast } of sizes) {
        const bytes = randomFillSync(new Uint8Array(mebibytes * mebibyte));
        const [ours, bare]: [number[], number[]] = [[], []];
        for (let round = -1; round < rounds; round++) {
          at(`round ${round} of ${mebibytes} MiB`);
          const bareMs = await timedCalls(blobs, atATime, (key) =>
            multipartPut(connection, `bare/${round}/${key}`, bytes),
          );
          const oursMs = await timedCalls(blobs, atATime, () => store.put(chunksOf(bytes), never));
          if (round < 0) continue;
          bare.push(bareMs);
          ours.push(oursMs);
        }
        const speed = (times: readonly number[]): string =>
          `${((mebibytes * blobs * 1000) / median(times)).toFixed(0)} MiB/s`;
        note(`${mebibytes} MiB: the store ${speed(ours)}, bare ${speed(bare)}; ${atATime} at a time`);
        const name = `blobs of ${mebibytes} MiB: the store's speed over bare multipart puts`;
        measurements.push({ name, value: medianRatio(bare, ours), unit: '×', ...(atLeast ? { atLeast } : {}) });
      }
      return measurements;
    } finally {
      connection.client.destroy();
      await s3.close();
    }
  },
};

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

/** Puts bytes that lie in memory, all parts at once. */
async function multipartPut({ client, place }: S3Connection, key: string, bytes: Uint8Array): Promise<void> {
  const object = { Bucket: place.bucket, Key: key };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(object));
  const parts = Array.from({ length: Math.ceil(bytes.length / partBytes) }, async (_, n) => {
    const body = bytes.subarray(n * partBytes, (n + 1) * partBytes);
    const part = { ...object, UploadId, PartNumber: n + 1, Body: body, ContentLength: body.length };
    const { ETag } = await client.send(new UploadPartCommand(part));
    return { ETag, PartNumber: n + 1 };
  });
  const whole = { ...object, UploadId, MultipartUpload: { Parts: await Promise.all(parts) } };
  await client.send(new CompleteMultipartUploadCommand(whole));
}
