import { Code, ConnectError, type Transport } from '@connectrpc/connect';
import { createTransport } from '@connectrpc/connect/protocol-connect';
import type { UniversalClientRequest, UniversalClientResponse } from '@connectrpc/connect/protocol';
import { ContentsLast } from './contents-last.ts';
import { ByteReceiver, ByteSender, givenAway, onlyChunk, type CallHead, type ChannelMessage } from './call-channel.ts';

/** Where calls are sent: a worker, or anything that takes a port with a message. */
export interface CallEndpoint {
  postMessage(message: CallHead, transfer: Transferable[]): void;
}

/**
 * A Connect transport over MessageChannels: unary calls and streams in both directions, with cancellation and
 * backpressure as over a network. `lost` aborts when the endpoint is gone, and every pending call with it; its
 * reason may be the ConnectError that they reject with. The service builds the file addresses that it returns from
 * `baseUrl`.
 */
export function createChannelTransport(
  endpoint: CallEndpoint,
  lost: AbortSignal,
  baseUrl = 'https://data-service.invalid',
): Transport {
  const contentsLast = new ContentsLast();
  return createTransport({
    httpClient: (request) => call(endpoint, request, lost, contentsLast),
    baseUrl,
    useBinaryFormat: true,
    interceptors: [contentsLast.interceptor],
    acceptCompression: [],
    sendCompression: null,
    compressMinBytes: Number.MAX_SAFE_INTEGER,
    readMaxBytes: 0xffffffff,
    writeMaxBytes: 0xffffffff,
  });
}

async function call(
  endpoint: CallEndpoint,
  { url, method, header, body, signal }: UniversalClientRequest,
  lost: AbortSignal,
  contentsLast: ContentsLast,
): Promise<UniversalClientResponse> {
  // Data in the message to the worker itself is transferred; data through a port is copied twice.
  const whole =
    body && header.get('content-type') === unaryType ? contentsLast.complete(await onlyChunk(body), signal) : undefined;
  signal?.throwIfAborted();
  const { port1: port, port2 } = new MessageChannel();
  const sender = new ByteSender(port);
  const receiver = new ByteReceiver(port);
  return new Promise((resolve, reject) => {
    const close = (): void => {
      signal?.removeEventListener('abort', onAbort);
      lost.removeEventListener('abort', onLost);
      sender.stop();
      port.close();
    };
    const fail = (error: unknown): void => {
      receiver.fail(error);
      reject(error);
      close();
    };
    const onAbort = (): void => {
      port.postMessage({ kind: 'cancel' } satisfies ChannelMessage);
      fail(signal!.reason);
    };
    const onLost = (): void => {
      const stopped = new ConnectError('The data service stopped under the call.', Code.Unavailable);
      fail(lost.reason instanceof ConnectError ? lost.reason : stopped);
    };
    signal?.addEventListener('abort', onAbort);
    lost.addEventListener('abort', onLost);
    if (lost.aborted) return onLost();

    port.onmessage = ({ data }: MessageEvent<ChannelMessage>) => {
      if (data.kind === 'head' || data.kind === 'answer') {
        const response = { status: data.status, header: new Headers([...data.header] as [string, string][]) };
        resolve({ ...response, body: receiver, trailer: receiver.trailer });
        if (data.kind === 'head') return;
        receiver.take(data.body);
        receiver.end([]);
        close();
      } else if (data.kind === 'bytes') receiver.take(data.bytes);
      else if (data.kind === 'credit') sender.grant();
      else if (data.kind === 'stop') sender.stop();
      else if (data.kind === 'failure') fail(new ConnectError(data.message, Code.Unavailable));
      else if (data.kind === 'end') {
        receiver.end(data.trailer);
        close();
      }
    };
    const head = { kind: 'call', url, method, header: [...header] } as const;
    if (whole) {
      endpoint.postMessage({ ...head, body: whole }, [port2, ...givenAway(whole)]);
      return;
    }
    endpoint.postMessage(head, [port2]);
    sender.send(body ?? nothing()).then(
      (whole) => whole && port.postMessage({ kind: 'end', trailer: [] } satisfies ChannelMessage),
      (error: unknown) => {
        port.postMessage({ kind: 'cancel' } satisfies ChannelMessage);
        fail(error);
      },
    );
  });
}

/** https://connectrpc.com/docs/protocol/#unary-request */
const unaryType = 'application/proto';

async function* nothing(): AsyncGenerator<Uint8Array, void> {}
