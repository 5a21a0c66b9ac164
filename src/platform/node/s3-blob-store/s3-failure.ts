import { StoreError, type StoreErrorCode } from '../../../data-service/face/stores.ts';
import { placeInWords } from './s3-place.ts';
import type { S3Connection } from './s3-connection.ts';

/** What the client throws, as far as it matters here. */
interface S3Exception {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** The status that a request failed with; null: there was no answer. */
export const statusOf = (error: unknown): number | null =>
  (error as Partial<S3Exception>).$metadata?.httpStatusCode ?? null;

const nameOf = (error: unknown): string => (error as S3Exception).name;

/** A request for something that is not there. A missing bucket is another fault. */
export const isAbsent = (error: unknown): boolean =>
  (statusOf(error) === 404 && nameOf(error) !== 'NoSuchBucket') ||
  ['NoSuchKey', 'NoSuchUpload'].includes(nameOf(error));

// Quotas of Ceph, versitygw, MinIO, and a full disk (HTTP 507)
const noRoom = ['QuotaExceeded', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded', 'InsufficientStorage'];

/**
 * Calls the store. An error becomes one in words, and none of them holds a request, whose headers are signed.
 * @param doing as "store a file"
 * @throws StoreError `unavailable` or `resource-exhausted`; the reason of an aborted signal
 */
export async function askS3<T>(
  connection: S3Connection,
  doing: string,
  ask: () => Promise<T>,
  signal: AbortSignal | null = null,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    signal?.throwIfAborted();
    throw failureOf(connection, doing, error);
  }
}

/** The error in words, told to the host's log on the way. */
export function failureOf({ place, onFailure }: S3Connection, doing: string, error: unknown): StoreError {
  const { bucket } = place;
  const [code, advice] = explain(error, bucket);
  const status = statusOf(error);
  const got = [status, safeName(error)].filter((word) => word !== null).join(' ');
  const failure = new StoreError(code, `The bucket "${bucket}" could not ${doing} (${got}): ${advice}`);
  onFailure(new Error(`${failure.message} It is ${placeInWords(place)}.`));
  return failure;
}

/** A name or system code, as NoSuchBucket or ECONNREFUSED: what more a message has may be of the request. */
function safeName(error: unknown): string | null {
  const { name, code } = error as S3Exception;
  const word = code ?? name;
  return typeof word === 'string' && /^\w{1,60}$/.test(word) ? word : null;
}

function explain(error: unknown, bucket: string): readonly [StoreErrorCode, string] {
  const [status, name] = [statusOf(error), nameOf(error)];
  if (status === 507 || noRoom.includes(name)) {
    return ['resource-exhausted', 'it is full. Give it more room, or delete data.'];
  }
  if (name === 'NoSuchBucket') {
    return ['unavailable', `there is no such bucket. Make it, or name another: --blobs s3://${bucket}.`];
  }
  if (name === 'CredentialsProviderError') {
    return [
      'unavailable',
      'no key was found. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a file by AWS_SHARED_CREDENTIALS_FILE.',
    ];
  }
  if (name === 'RequestTimeTooSkewed') return ['unavailable', "this machine's clock differs from the store's. Set it."];
  if (status === 401 || status === 403) {
    return [
      'unavailable',
      'the key is refused. See that it is the right one, and that it may list, read, write and delete there.',
    ];
  }
  if (status === 301 || name === 'PermanentRedirect' || name === 'AuthorizationHeaderMalformed') {
    return ['unavailable', 'the bucket is in another region. Name it: &region=….'];
  }
  if (status === null) {
    return ['unavailable', 'there was no answer. See that the store runs and that this host reaches its endpoint.'];
  }
  if (status >= 500 || status === 429) return ['unavailable', 'the store is in trouble or too busy. Try again later.'];
  return ['unavailable', 'the store refused it. See the log of the store.'];
}
