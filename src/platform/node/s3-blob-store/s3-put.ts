import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { StoreError } from '../../../data-service/face/stores.ts';
import type { S3Connection } from './s3-connection.ts';
import { askS3, failureOf } from './s3-failure.ts';

/** The least that S3 takes as a part, and what a put holds at most twice. All parts but the last have this size. */
export const partBytes = 5 * 2 ** 20;
/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const mostParts = 10_000;

const contentType = 'application/octet-stream';

/**
 * Stores content that fits into one part by one request, and longer content part by part: one is sent while the next
 * one is read.
 *
 * An upload in parts whose completion was not asked for is aborted when it fails. After that it is left alone: the
 * store may have completed it although no answer came. Its key is of this put alone, so that a sweep by age can tell.
 */
export class S3Put {
  readonly #connection: S3Connection;
  readonly #key: string;
  readonly #signal: AbortSignal;
  readonly #cancel = new AbortController();
  #chunks: Uint8Array[] = [];
  #collectedBytes = 0;
  #sizeBytes = 0;
  #uploadId: string | null = null;
  #etags: string[] = [];
  #sending: Promise<void> = Promise.resolve();
  #isCompletionAsked = false;

  constructor(connection: S3Connection, key: string, signal: AbortSignal) {
    this.#connection = connection;
    this.#key = key;
    this.#signal = AbortSignal.any([signal, this.#cancel.signal]);
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#sizeBytes += chunk.length;
    for (let rest = chunk; rest.length > 0;) {
      // only when more follows: what fits exactly is the last part
      if (this.#collectedBytes === partBytes) await this.#sendPart();
      const piece = rest.subarray(0, partBytes - this.#collectedBytes);
      this.#chunks.push(piece);
      this.#collectedBytes += piece.length;
      rest = rest.subarray(piece.length);
    }
  }

  /** @returns the number of bytes */
  async finish(): Promise<number> {
    if (this.#uploadId === null) {
      await this.#putWhole();
    } else {
      await this.#sendPart();
      await this.#sending;
      await this.#complete(this.#uploadId);
    }
    return this.#sizeBytes;
  }

  /** Takes back what was sent, where that is certain; what stays is swept by its age. */
  async giveUp(): Promise<void> {
    this.#cancel.abort();
    await this.#sending.catch(() => undefined);
    if (this.#uploadId === null || this.#isCompletionAsked) return;
    const parts = { ...this.#object, UploadId: this.#uploadId };
    await askS3(this.#connection, 'give up an upload', () =>
      this.#connection.client.send(new AbortMultipartUploadCommand(parts)),
    ).catch(() => undefined); // told to the log
  }

  get #object() {
    return { Bucket: this.#connection.place.bucket, Key: this.#key };
  }

  #take(): Buffer {
    const body = Buffer.concat(this.#chunks, this.#collectedBytes);
    this.#chunks = [];
    this.#collectedBytes = 0;
    return body;
  }

  async #putWhole(): Promise<void> {
    const body = this.#take();
    const object = { ...this.#object, Body: body, ContentLength: body.length, ContentType: contentType };
    await this.#ask('store a file', (options) => this.#connection.client.send(new PutObjectCommand(object), options));
  }

  async #sendPart(): Promise<void> {
    const uploadId = (this.#uploadId ??= await this.#begin());
    await this.#sending; // before the part is copied together: two at a time are held
    if (this.#etags.length === mostParts) {
      throw new StoreError(
        'resource-exhausted',
        `The file is larger than ${mostParts * partBytes} bytes, the most that is stored in a bucket.`,
      );
    }
    const number = this.#etags.push('');
    const body = this.#take();
    const part = { ...this.#object, UploadId: uploadId, PartNumber: number, Body: body, ContentLength: body.length };
    this.#sending = this.#ask('store a part of a file', async (options) => {
      const { ETag = '' } = await this.#connection.client.send(new UploadPartCommand(part), options);
      this.#etags[number - 1] = ETag;
    });
    this.#sending.catch(() => undefined); // whoever waits for it is told
  }

  async #begin(): Promise<string> {
    const object = { ...this.#object, ContentType: contentType };
    const { UploadId } = await this.#ask('begin a file in parts', (options) =>
      this.#connection.client.send(new CreateMultipartUploadCommand(object), options),
    );
    return UploadId!;
  }

  async #complete(uploadId: string): Promise<void> {
    const parts = this.#etags.map((ETag, n) => ({ ETag, PartNumber: n + 1 }));
    const request = { ...this.#object, UploadId: uploadId, MultipartUpload: { Parts: parts } };
    this.#signal.throwIfAborted();
    this.#isCompletionAsked = true;
    try {
      // without the signal: whoever gives up here would not learn what became of it
      await this.#connection.client.send(new CompleteMultipartUploadCommand(request));
    } catch (error) {
      // The answer got lost, or a repetition met the completed upload: then the file is there.
      if (!(await this.#isWhole())) throw failureOf(this.#connection, 'put a file together', error);
    }
  }

  async #isWhole(): Promise<boolean> {
    try {
      const { ContentLength } = await this.#connection.client.send(new HeadObjectCommand(this.#object));
      return ContentLength === this.#sizeBytes;
    } catch {
      return false;
    }
  }

  #ask<T>(doing: string, ask: (options: { readonly abortSignal: AbortSignal }) => Promise<T>): Promise<T> {
    return askS3(this.#connection, doing, () => ask({ abortSignal: this.#signal }), this.#signal);
  }
}
