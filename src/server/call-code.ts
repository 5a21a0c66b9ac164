import { Code, ConnectError, createContextKey, type ConnectRouter } from '@connectrpc/connect';
import type { Response } from './exchange.ts';

/** How a call ended, as soon as its protocol tells. */
export interface CallEnd {
  /** aborted at the end of the call, with what it failed of; null: the call has not reached the service */
  signal: AbortSignal | null;
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

/** What clients make of a call that HTTP alone has answered, https://github.com/grpc/grpc/blob/master/doc/http-grpc-status-mapping.md */
function codeOfHttp({ headersSent, statusCode }: Response): string {
  if (!headersSent) return nameOf(Code.Canceled);
  switch (statusCode) {
    case 400:
      return nameOf(Code.Internal);
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
    default:
      return nameOf(Code.Unknown);
  }
}

/** As gRPC spells it: RESOURCE_EXHAUSTED, CANCELLED. */
const nameOf = (code: Code): string =>
  code === Code.Canceled ? 'CANCELLED' : Code[code].replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
