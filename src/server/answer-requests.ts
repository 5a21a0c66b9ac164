import { createContextValues } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { verifyKeyValue, type VerifyKey } from '../data-service/access/verify-key.ts';
import { dataServiceRoutes } from '../data-service/data-service-routes.ts';
import type { DataServiceDependencies } from '../data-service/dependencies.ts';
import { isDownload } from '../data-service/downloads/download.ts';
import { AttemptLimit } from './attempt-limit.ts';
import { clientAddress, type TrustedProxies } from './client-address.ts';
import { answerUnknownCall, isCall } from './answer-unknown-call.ts';
import { confirmEnd } from './confirm-end.ts';
import { answerCors } from './cors.ts';
import { cutStalled } from './cut-stalled.ts';
import { dropUnread } from './drop-unread.ts';
import { answerText, pathOf, type Handle, type Request, type Response } from './exchange.ts';
import { KeyDoor } from './key-door.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { sendDownload } from './send-download.ts';
import type { ServerLimits } from './server-limits.ts';

export interface RequestDependencies {
  readonly service: DataServiceDependencies;
  readonly limits: ServerLimits;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly app: Handle;
  /** null: a request is from whom its connection is from */
  readonly trustedProxies: TrustedProxies | null;
  /** aborted when the server stops */
  readonly stopping: AbortSignal;
}

/** Everything that one port answers: calls, files, the app and what its keepers ask. */
export function answerRequests(dependencies: RequestDependencies): Handle {
  const { service, limits, metrics, log, stopping, trustedProxies } = dependencies;
  const attempts = new AttemptLimit(limits.authenticateBurst, limits.authenticatePerMinute, () => performance.now());
  const door = new KeyDoor(service, attempts, () => metrics.refusedAttempts.inc());
  const addressOf = (request: Request): string => clientAddress(request, trustedProxies);
  const calls = callHandlers(service, (request) => door.for(addressOf(request)));

  const answer = (operation: string, request: Request, response: Response): void | Promise<void> => {
    switch (operation) {
      case 'healthz':
        return answerText(response, 200, 'alive');
      case 'readyz':
        return answerReadiness(service, stopping, response);
      case 'metrics':
        return metrics.text().then((text) => answerText(response, 200, text, metrics.contentType));
      case 'download':
        return sendDownload(service, door, addressOf(request), request, response);
      case 'app':
        return dependencies.app(request, response);
      case 'unknown call':
        return answerUnknownCall(request, response);
    }
    if (calls.streamed.has(operation)) confirmEnd(request);
    return calls.handle(request, response);
  };

  return async (request, response) => {
    const operation = operationOf(request, calls.paths);
    metrics.observe(response, operation);
    logExchange(log, operation, addressOf(request), request, response);
    cutStalled(request, response, limits, () => metrics.stalled.inc());
    dropUnread(request, response);
    try {
      if (!answerCors(request, response)) await answer(operation, request, response);
    } catch (error) {
      log.error({ err: error, operation }, 'a request failed');
      if (!response.headersSent) answerText(response, 500, 'The service failed; its log has the cause.');
    }
  };
}

function callHandlers(service: DataServiceDependencies, verifyKeyFor: (request: Request) => VerifyKey) {
  const paths = new Set<string>();
  const streamed = new Set<string>();
  const handle = connectNodeAdapter({
    contextValues: (request) => createContextValues().set(verifyKeyValue, verifyKeyFor(request)),
    routes(router) {
      dataServiceRoutes(service)(router);
      for (const { requestPath, method } of router.handlers) {
        paths.add(requestPath);
        if (method.methodKind === 'client_streaming') streamed.add(requestPath);
      }
    },
  });
  return {
    paths,
    /** the paths of uploads that come in messages: only the end of the request says that there are no more */
    streamed,
    handle: guarded(handle),
  };
}

/** A request that names no host, or none that can be one, is the client's mistake; the adapter would throw. */
const guarded =
  (handle: ReturnType<typeof connectNodeAdapter>): Handle =>
  (request, response) => {
    const authority = 'authority' in request ? request.authority : request.headers.host;
    if (authority === undefined || !URL.canParse(request.url ?? '', `http://${authority}`)) {
      return answerText(response, 400, 'The request names no host.');
    }
    handle(request, response);
  };

function operationOf(request: Request, calls: ReadonlySet<string>): string {
  const path = pathOf(request);
  if (calls.has(path)) return path;
  if (isCall(request)) return 'unknown call';
  if (isDownload(path)) return 'download';
  return ['/healthz', '/readyz', '/metrics'].includes(path) ? path.slice(1) : 'app';
}

async function answerReadiness(
  { store, defects }: DataServiceDependencies,
  stopping: AbortSignal,
  response: Response,
): Promise<void> {
  if (stopping.aborted) return answerText(response, 503, 'stopping');
  try {
    await store.access.listOrganizations();
    answerText(response, 200, 'ready');
  } catch (error) {
    defects.report(error, { operation: 'readyz' });
    answerText(response, 503, 'the store does not answer');
  }
}

/** Neither headers nor the query: the one has tokens and keys, the other signatures. */
function logExchange(log: Log, operation: string, address: string, request: Request, response: Response): void {
  const startMs = performance.now();
  response.once('close', () => {
    const status = response.headersSent ? response.statusCode : 0;
    const ms = Math.round(performance.now() - startMs);
    const level = ['app', 'healthz', 'readyz', 'metrics'].includes(operation) ? 'debug' : 'info';
    log[level]({ operation, method: request.method, status, ms, address, http: request.httpVersion }, 'answered');
  });
}
