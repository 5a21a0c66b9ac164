import { Code, ConnectError, createConnectRouter, type ConnectRouter } from '@connectrpc/connect';
import {
  uResponseNotFound,
  type UniversalHandler,
  type UniversalServerRequest,
  type UniversalServerResponse,
} from '@connectrpc/connect/protocol';
import { ByteReceiver, ByteSender, givenAway, onlyChunk, type CallHead, type ChannelMessage } from './call-channel.ts';

/** Where calls arrive: a worker's own scope, or a port. */
export interface CallSource {
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

/**
 * Answers the calls of `createChannelTransport` with Connect routes, each handler by its path. Every call first
 * awaits `ready`.
 */
export function answerChannelCalls(
  source: CallSource,
  routes: (router: ConnectRouter) => void,
  ready: () => Promise<void> = () => Promise.resolve(),
): void {
  const router = createConnectRouter({ grpc: false, grpcWeb: false });
  routes(router);
  const handlers = new Map<string, UniversalHandler>();
  for (const handler of router.handlers) handlers.set(handler.requestPath, handler);
  source.addEventListener('message', ({ data, ports }: MessageEvent<CallHead>) => {
    const [port] = ports;
    if (data?.kind === 'call' && port) void answer(data, port, handlers, ready);
  });
}

async function answer(
  { url, method, header, body: whole }: CallHead,
  port: MessagePort,
  handlers: ReadonlyMap<string, UniversalHandler>,
  ready: () => Promise<void>,
): Promise<void> {
  const cancelled = new AbortController();
  const sender = new ByteSender(port);
  const body = new ByteReceiver(port);
  port.onmessage = ({ data }: MessageEvent<ChannelMessage>) => {
    if (data.kind === 'bytes') body.take(data.bytes);
    else if (data.kind === 'end') body.end(data.trailer);
    else if (data.kind === 'credit') sender.grant();
    // a caller that reads no more of the answer has cancelled the call
    else if (data.kind === 'stop' || data.kind === 'cancel') {
      const reason = new ConnectError('The caller cancelled.', Code.Canceled);
      body.fail(reason);
      cancelled.abort(reason);
      sender.stop();
    }
  };
  const post = (message: ChannelMessage): void => port.postMessage(message);
  try {
    await ready();
    const handler = handlers.get(/(\/[^/]+\/[^/]+)$/.exec(url)?.[1] ?? '');
    const request = { httpVersion: '2.0', url, method, body: readAlready(whole) ?? body, signal: cancelled.signal };
    const response: UniversalServerResponse = handler
      ? await handler({ ...request, header: new Headers([...header] as [string, string][]) })
      : uResponseNotFound;
    const head = { status: response.status, header: [...(response.header ?? [])] } as const;
    const answered = response.body ?? nothing();
    if (handler?.method.methodKind === 'unary') {
      const whole = await onlyChunk(answered);
      port.postMessage({ kind: 'answer', ...head, body: whole } satisfies ChannelMessage, givenAway(whole));
      return;
    }
    post({ kind: 'head', ...head });
    await sender.send(answered);
    post({ kind: 'end', trailer: [...(response.trailer ?? [])] });
  } catch (error) {
    post({ kind: 'failure', message: ConnectError.from(error).rawMessage });
  }
}

/**
 * Connect's handlers also accept a body that was read already, and parse bytes as they are; their types name only
 * parsed JSON.
 */
const readAlready = (whole: Uint8Array | undefined) => whole as unknown as UniversalServerRequest['body'] | undefined;

async function* nothing(): AsyncGenerator<Uint8Array, void> {}
