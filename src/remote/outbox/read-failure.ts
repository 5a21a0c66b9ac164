import { Code, ConnectError } from '@connectrpc/connect';
import { UploadError, type UploadFailureCode } from './upload-error.ts';

/**
 * An HTTP response that is no answer of the API: from a proxy on the way, or from a host that refuses before it
 * reads the request.
 */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  readonly status: number;
  /** value of the Retry-After header, unparsed */
  readonly retryAfter: string | null;
  constructor(status: number, retryAfter: string | null) {
    super(`The host answered HTTP ${status}.`);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** The request got no response: no route, no host, or the connection broke. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

export function isNotFound(error: unknown): boolean {
  return ConnectError.from(error).code === Code.NotFound;
}

/** Converts a failed call to an UploadError. `redact` removes secrets from the host's message. */
export function uploadErrorOf(
  error: unknown,
  signal: AbortSignal,
  redact: (message: string) => string = (message) => message,
): UploadError {
  if (error instanceof UploadError) return error;
  if (signal.aborted) {
    return signal.reason instanceof UploadError
      ? signal.reason
      : new UploadError('cancelled', 'Broken off before it was answered.', { cause: error });
  }
  const failure = ConnectError.from(error);
  const cause = failure.cause ?? error;
  if (cause instanceof NoAnswer) {
    return new UploadError('unavailable', `No answer: ${redact(cause.message)}`, { cause });
  }
  if (cause instanceof HttpRefusal) return refusalOf(cause);
  const code = codeOf(failure);
  const retryAfterMs = readRetryAfter(failure.metadata.get('retry-after'));
  return new UploadError(code, describe(code, redact(failure.rawMessage)), { retryAfterMs, cause: failure });
}

const codeOfStatus: Readonly<Record<number, UploadFailureCode>> = {
  401: 'unauthenticated',
  403: 'permission-denied',
  404: 'invalid',
  405: 'invalid',
  413: 'too-large',
  429: 'rate-limited',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
  507: 'server-full',
};

function refusalOf(refusal: HttpRefusal): UploadError {
  const code = codeOfStatus[refusal.status] ?? 'unexpected';
  const said = code === 'invalid' ? `${refusal.message} There is no data service at this address.` : refusal.message;
  return new UploadError(code, describe(code, said), {
    retryAfterMs: readRetryAfter(refusal.retryAfter),
    cause: refusal,
  });
}

function codeOf({ code, rawMessage }: ConnectError): UploadFailureCode {
  switch (code) {
    case Code.Unavailable:
      return 'unavailable';
    case Code.Unauthenticated:
      return 'unauthenticated';
    case Code.PermissionDenied:
      return 'permission-denied';
    case Code.InvalidArgument:
    case Code.NotFound:
    case Code.FailedPrecondition:
    case Code.OutOfRange:
    case Code.Unimplemented:
    case Code.AlreadyExists:
      return 'invalid';
    case Code.ResourceExhausted:
      // Connect has one code for three causes; the messages of connect ("larger than configured readMaxBytes") and
      // grpc-go ("larger than max") share two words.
      if (/larger than/i.test(rawMessage)) return 'too-large';
      return /\b(full|disk|space|quota|storage)\b/i.test(rawMessage) ? 'server-full' : 'rate-limited';
    default:
      return 'unexpected';
  }
}

function describe(code: UploadFailureCode, said: string): string {
  switch (code) {
    case 'too-large':
      return `The frame is too large for the target: ${said} Send a smaller one, or raise the target's limit.`;
    case 'unauthenticated':
      return `The target did not accept the key: ${said}`;
    case 'permission-denied':
      return `The key may not do this: ${said}`;
    default:
      return said;
  }
}

/** RFC 9110, 10.2.3: seconds, or a date. Dates are ignored, since clocks differ. */
function readRetryAfter(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) * 1000 : null;
}
