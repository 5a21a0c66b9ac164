import { Code, ConnectError, createContextKey, type ConnectRouter } from '@connectrpc/connect';
import { principalKey } from '../../data-service/face/access.ts';
import type { Response } from './exchange.ts';

/** How a call ended, as soon as its protocol tells. */
export interface CallEnd {
  /** aborted at the end of the call, with what it failed of; null: the call has not reached the service */
  signal: AbortSignal | null;
  /** called when the call has shown a right token */
  readonly onKey: () => void;
}

/** Where the end of a call is noted, among the values of its context. */
export const callEndValue = createContextKey<CallEnd | null>(null, { description: 'how a call ended' });

/** A router whose services note how their calls end, before anything can refuse them. */
export function noteEnds(router: ConnectRouter): ConnectRouter {
  const noting: ConnectRouter = {
    ...router,
    service(type, implementation, options) {
      router.service(type, implementation, {
        ...options,
        requestGate: async (context) => {
          const end = context.values.get(callEndValue);
          if (end !== null) end.signal = context.signal;
          await options?.requestGate?.(context);
          if (context.values.get(principalKey) !== null) end?.onKey();
        },
      });
      return noting;
    },
  };
  return noting;
}

/**
 * The name of gRPC's status that a call ended with, as OK or RESOURCE_EXHAUSTED: also where HTTP says 200 for all of them.
 * To be asked when the response has closed.
 */
export function codeOfCall({ signal }: CallEnd, response: Response): string {
  if (signal === null) return codeOfHttp(response);
  const reason: unknown = signal.aborted ? signal.reason : null;
  if (reason instanceof ConnectError) return nameOf(reason.code);
  if (!response.writableEnded) return nameOf(Code.Canceled);
  // a call that ends well is aborted, too, without a reason of its own
  return reason === null || (reason as Error).name === 'AbortError' ? 'OK' : nameOf(Code.Internal);
}

/** How a call is counted that HTTP alone has answered: as clients read it, but for what is their own mistake. https://github.com/grpc/grpc/blob/master/doc/http-grpc-status-mapping.md */
function codeOfHttp({ headersSent, statusCode }: Response): string {
  if (!headersSent) return nameOf(Code.Canceled);
  switch (statusCode) {
    case 401:
      return nameOf(Code.Unauthenticated);
    case 403:
      return nameOf(Code.PermissionDenied);
    case 404:
      return nameOf(Code.Unimplemented);
    case 429:
    case 502:
    case 503:
    case 504:
      return nameOf(Code.Unavailable);
    case 505:
      return nameOf(Code.Unimplemented);
    default:
      // the other 4xx are the client's mistake, such as a name that is not this server's: no reason for an alarm
      return nameOf(statusCode >= 400 && statusCode < 500 ? Code.InvalidArgument : Code.Unknown);
  }
}

/** The code's name in gRPC's spelling: RESOURCE_EXHAUSTED, CANCELLED. */
const nameOf = (code: Code): string =>
  code === Code.Canceled ? 'CANCELLED' : Code[code].replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
