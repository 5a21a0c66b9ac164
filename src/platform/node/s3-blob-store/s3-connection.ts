import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import type { S3Place } from './s3-place.ts';

/** How patient the client is with a store. */
export interface S3Patience {
  /** until a connection stands, in milliseconds */
  readonly connectMs: number;
  /** without a byte in either direction, in milliseconds */
  readonly silenceMs: number;
  /** how often one request is sent, the first time included */
  readonly attempts: number;
}

const usualPatience: S3Patience = { connectMs: 5_000, silenceMs: 60_000, attempts: 4 };

/** An open client of one place. What it cannot do it says by `onFailure`, for the host's log. */
export interface S3Connection {
  readonly client: S3Client;
  readonly place: S3Place;
  readonly onFailure: (error: Error) => void;
}

/** Enough for many uploads and downloads at a time. */
const mostSockets = 128;

export interface S3Options {
  readonly onFailure: (error: Error) => void;
  readonly patience?: S3Patience;
  /** default: those that AWS's own tools find */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/**
 * Opens a client. Its credentials are those that AWS's own tools find: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, the
 * file that AWS_SHARED_CREDENTIALS_FILE names, or the role of the machine or container.
 */
export function connectToS3(
  place: S3Place,
  { onFailure, patience: { connectMs, silenceMs, attempts } = usualPatience, credentials }: S3Options,
): S3Connection {
  const agent = { keepAlive: true, maxSockets: mostSockets };
  const config: S3ClientConfig = {
    region: place.region,
    maxAttempts: attempts,
    // The signature has the SHA-256 of every body. Other checksums are sent in ways that not every store knows.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectMs,
      socketTimeout: silenceMs,
      requestTimeout: silenceMs,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
    ...(credentials ? { credentials } : {}),
    // A bucket as part of the host's name wants a name server that knows it.
    ...(place.endpoint === null ? {} : { endpoint: place.endpoint, forcePathStyle: true }),
  };
  return { client: new S3Client(config), place, onFailure };
}
