import { createConnectRouter, createContextValues, type ContextValues } from '@connectrpc/connect';
import { createAsyncIterable } from '@connectrpc/connect/protocol';
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from '@connectrpc/connect-node';
import {
  type CountAttempt,
  type NoteRefusedLogIn,
  noteRefusedLogInValue,
  requirementOf,
  sessionTokenValue,
  type VerifyKey,
  verifyKeyValue,
} from '../../data-service/face/access.ts';
import { dataServiceRoutes, maxCredentialBytes } from '../../data-service/face/routes.ts';
import type { DataServiceDependencies } from '../../data-service/face/hosts.ts';
import { fileSenderValue, isDownload } from '../../data-service/face/files.ts';
import { StoreError } from '../../data-service/face/stores.ts';
import { isAllowedHost, type AllowedHosts } from '../limits/allowed-hosts.ts';
import { AnswerFiles } from '../files/answer-files.ts';
import { answerMonitoring, monitoringPath, type MonitoringDependencies } from '../monitoring/answer-monitoring.ts';
import { AttemptLimit } from '../limits/attempt-limit.ts';
import { clientAddress, countedAddress, type TrustedProxies } from '../http/client-address.ts';
import { answerUnknownCall, isCall } from './answer-unknown-call.ts';
import { CallMemory } from '../limits/call-memory.ts';
import { callEndValue, codeOfCall, noteEnds, type CallEnd } from '../http/call-code.ts';
import { confirmEnd } from '../http/confirm-end.ts';
import { answerCors } from '../http/cors.ts';
import { countingParts } from '../limits/count-parts.ts';
import { cutKeyless } from '../limits/cut-keyless.ts';
import { cutStalled } from '../limits/cut-stalled.ts';
import { dropUnread } from '../limits/drop-unread.ts';
import { RefusedLogIns } from '../limits/refused-log-ins.ts';
import {
  answerText,
  authorityOf,
  cut,
  isGone,
  pathOf,
  type Handle,
  type Request,
  type Response,
} from '../http/exchange.ts';
import { KeyVerifier } from './key-verifier.ts';
import type { Log } from '../http/log.ts';
import { cutEnded } from '../login/cut-ended.ts';
import { answerLogin, isLogin } from '../login/answer-login.ts';
import { countingAttempts, sessionOfDownload, setLoginValues } from '../login/login-values.ts';
import type { OpenIdProvider } from '../login/open-id-provider.ts';
import { noteKey } from '../http/shown-key.ts';
import { readSmall } from '../http/read-small.ts';
import { sendDownload } from '../files/send-download.ts';
import { sendingFiles } from '../files/send-files.ts';
import type { ServerLimits } from '../limits/server-limits.ts';

export interface RequestDependencies extends MonitoringDependencies {
  readonly service: DataServiceDependencies;
  readonly limits: ServerLimits;
  readonly log: Log;
  readonly app: Handle;
  /** the OpenID Connect provider by which people log in; null: none */
  readonly provider: OpenIdProvider | null;
  /** null: a request is from whom its connection is from */
  readonly trustedProxies: TrustedProxies | null;
  readonly allowedHosts: AllowedHosts;
  /** whether /metrics is answered here */
  readonly hasMetrics: boolean;
}

/** Everything that one port answers: calls, files, the app and what its keepers ask. */
export function answerRequests(dependencies: RequestDependencies): Handle {
  const { service, limits, metrics, log, trustedProxies } = dependencies;
  const attempts = new AttemptLimit(limits.authenticateBurst, limits.authenticatePerMinute, () => performance.now());
  const door = new KeyVerifier(service, attempts, () => metrics.refusedAttempts.inc());
  metrics.watchQueue('key_checks', () => door.waiting);
  const addressOf = (request: Request): string => clientAddress(request, trustedProxies);
  const countedOf = (request: Request): string => countedAddress(addressOf(request));
  const refused = new RefusedLogIns(service.store.access, (error) =>
    log.warn({ err: error }, 'refused log-ins were not written down'),
  );
  const verifyFor = (request: Request): VerifyKey => {
    const verify = door.for(addressOf(request));
    return async (...shown) => {
      const key = await verify(...shown);
      if (key !== null) noteKey(request);
      else await refused.noteKey(shown[0], addressOf(request));
      return key;
    };
  };
  const memory = new CallMemory();
  metrics.watchQueue('inflated_messages', () => memory.inflated.waiting);
  metrics.watchQueue('answers_with_files', () => memory.answers.waiting);
  const ends = new WeakMap<Request, CallEnd>();
  const suspects = new Set<string>();
  const logIns = new AttemptLimit(limits.authenticateBurst, limits.authenticatePerMinute, () => performance.now());
  const countFor = (request: Request): CountAttempt =>
    countingAttempts(logIns, addressOf(request), () => metrics.refusedAttempts.inc());
  const noteFor =
    (request: Request): NoteRefusedLogIn =>
    (shown) =>
      refused.note(shown, addressOf(request));
  const login = answerLogin({ service, log, provider: dependencies.provider, countFor, noteFor });
  const calls = callHandlers(service, memory, (request, response) => {
    const values = createContextValues()
      .set(verifyKeyValue, verifyFor(request))
      .set(noteRefusedLogInValue, noteFor(request))
      .set(callEndValue, ends.get(request) ?? null)
      .set(fileSenderValue, new AnswerFiles(service.store, memory, suspects));
    setLoginValues(values, service, countFor(request), request, response);
    const session = values.get(sessionTokenValue);
    if (session !== null) cutEnded(service, session, limits.sessionCheckMs, request, response);
    return values;
  });

  const download = async (request: Request, response: Response): Promise<void> => {
    const session = await sessionOfDownload(service, request);
    if (session !== null) cutEnded(service, session, limits.sessionCheckMs, request, response);
    const door = { verify: verifyFor(request), session, memory: memory.answers };
    return sendDownload(service, door, countedOf(request), request, response);
  };

  const answer = (operation: string, request: Request, response: Response): void | Promise<void> => {
    switch (operation) {
      case 'healthz':
      case 'readyz':
      case 'metrics':
        return answerMonitoring(dependencies, operation, response);
      case 'download':
        return download(request, response);
      case 'login':
        if (!namesHost(request)) return answerText(response, 400, 'The request names no host.');
        return login(request, response);
      case 'app':
        return dependencies.app(request, response);
      case 'unknown call':
        return answerUnknownCall(request, response);
    }
    if (!namesHost(request)) return answerText(response, 400, 'The request names no host.');
    if (calls.streamed.has(operation)) confirmEnd(request);
    const run = (message: Uint8Array | null): void | Promise<void> =>
      memory.run(countedOf(request), request, response, () => calls.handle(request, response, message));
    if (!calls.openToAll.has(operation)) return run(null);
    return readSmall(request, maxCredentialBytes).then((message) => (isGone(response) ? undefined : run(message)));
  };

  return async (request, response) => {
    const operation = operationOf(request, calls.paths, dependencies.hasMetrics);
    const end: CallEnd = { signal: null, onKey: () => noteKey(request) };
    ends.set(request, end);
    const codeOf = (): string => {
      if (operation === 'unknown call') return 'UNIMPLEMENTED';
      return calls.paths.has(operation) && request.method !== 'OPTIONS' ? codeOfCall(end, response) : '';
    };
    metrics.observe(response, operation, codeOf);
    logExchange(log, operation, addressOf(request), codeOf, request, response);
    const answerBytesPerSecond = operation === 'app' ? limits.minAppBytesPerSecond : null;
    cutStalled(request, response, limits, () => metrics.stalled.inc(), answerBytesPerSecond);
    cutKeyless(request, response, limits.keylessTimeoutMs, () => metrics.stalled.inc());
    dropUnread(request, response);
    try {
      if (refuseOtherHost(dependencies.allowedHosts, operation, request, response)) return;
      if (operation !== 'metrics' && answerCors(request, response)) return;
      await answer(operation, request, response);
    } catch (error) {
      if (error instanceof StoreError && error.code === 'damaged') service.defects.report(error, { operation });
      else log.error({ err: error, operation }, 'a request failed');
      if (!response.headersSent) answerText(response, 500, 'The service failed; its log has the cause.');
    }
  };
}

function callHandlers(
  service: DataServiceDependencies,
  memory: CallMemory,
  contextValues: (request: Request, response: Response) => ContextValues,
) {
  const router = createConnectRouter({ acceptCompression: memory.compressions });
  dataServiceRoutes(service)(noteEnds(router));
  const handlers = new Map(
    router.handlers.map((handler) => [handler.requestPath, countingParts(sendingFiles(handler), memory)]),
  );
  const streaming = router.handlers.filter(({ method }) => method.methodKind === 'client_streaming');
  const openToAll = router.handlers.filter(({ method }) => requirementOf(method).role === null);
  /** `message`: what was read of the request; null: nothing */
  const handle = async (request: Request, response: Response, message: Uint8Array | null): Promise<void> => {
    const handler = handlers.get(pathOf(request))!;
    try {
      // nothing else of the call is held on to here: this ends with the connection
      const asked = universalRequestFromNodeRequest(request, response, undefined, contextValues(request, response));
      const call = handler(message === null ? asked : { ...asked, body: createAsyncIterable([message]) });
      await call.then((answer) => universalResponseToNodeResponse(answer, response));
    } catch (error) {
      if (isGone(response)) return;
      cut(request, response);
      throw error;
    }
  };
  return {
    paths: new Set(handlers.keys()),
    /** the paths of uploads that come in messages: only the end of the request says that there are no more */
    streamed: new Set(streaming.map(({ requestPath }) => requestPath)),
    /** the paths of calls that anyone may make */
    openToAll: new Set(openToAll.map(({ requestPath }) => requestPath)),
    handle,
  };
}

/** True: the request asks for a name that is not this server's, and was told. Probes may ask by any. */
function refuseOtherHost(allowed: AllowedHosts, operation: string, request: Request, response: Response): boolean {
  const authority = authorityOf(request);
  if (operation === 'healthz' || operation === 'readyz' || isAllowedHost(allowed, authority)) return false;
  answerText(
    response,
    421,
    `This server is not known as "${authority}". Start it with --allowed-host, or ask by its address.`,
  );
  return true;
}

/** Whether a request names a host, and one that can be one: if not, it is the client's mistake, and the adapter would throw. */
function namesHost(request: Request): boolean {
  const authority = authorityOf(request);
  return authority !== undefined && URL.canParse(request.url ?? '', `http://${authority}`);
}

function operationOf(request: Request, calls: ReadonlySet<string>, hasMetrics: boolean): string {
  const path = pathOf(request);
  if (calls.has(path)) return path;
  if (isCall(request)) return 'unknown call';
  if (isDownload(path)) return 'download';
  if (isLogin(path)) return 'login';
  const question = monitoringPath(path);
  return question === null || (question === 'metrics' && !hasMetrics) ? 'app' : question;
}

/** Neither headers nor the query: the one has tokens and keys, the other signatures. */
function logExchange(
  log: Log,
  operation: string,
  address: string,
  codeOf: () => string,
  request: Request,
  response: Response,
): void {
  const startMs = performance.now();
  response.once('close', () => {
    const status = response.headersSent ? response.statusCode : 0;
    const ms = Math.round(performance.now() - startMs);
    const level = ['app', 'healthz', 'readyz', 'metrics'].includes(operation) ? 'debug' : 'info';
    const code = codeOf() || undefined;
    log[level]({ operation, method: request.method, status, code, ms, address, http: request.httpVersion }, 'answered');
  });
}
