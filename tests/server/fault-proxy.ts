import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DataCaptureUploadRequestSchema } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';

/** A fault that the proxy injects into one request. */
export type Fault =
  | { readonly kind: 'none' }
  /** closes the connection before anything is forwarded */
  | { readonly kind: 'refuse' }
  /** closes the connection after a part of the body was forwarded */
  | { readonly kind: 'cut-request'; readonly share: number }
  /** closes the connection after the server has answered, before the client receives it */
  | { readonly kind: 'lose-answer' }
  /** closes the connection after half of the answer */
  | { readonly kind: 'cut-answer' }
  /** keeps the answer, and the connection open */
  | { readonly kind: 'keep-answer' }
  /** changes the last byte of the body */
  | { readonly kind: 'change-request' }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter: string | null }
  /** replaces the token by an invalid one */
  | { readonly kind: 'forget-token' }
  /** kills the server after a part of the body, and restarts it */
  | { readonly kind: 'server-dies'; readonly share: number }
  /** ends the client's process while the server still stores the request */
  | { readonly kind: 'client-dies' };

export interface FaultProxy {
  readonly origin: string;
  close(): Promise<void>;
}

export interface FaultProxyOptions {
  readonly upstreamPort: () => number;
  readonly nextFault: (path: string, method: string) => Fault;
  /** Restarts the server, for 'server-dies'. */
  readonly restartServer?: () => Promise<void>;
  /** Kills the client, for 'client-dies'. */
  readonly killClient?: () => void;
  /** whether to act as a host of the same API that ignores upload ids, and tags, datasets and annotations in uploads, and does not say what it stored */
  readonly isPlainHost?: () => boolean;
}

/** Starts a proxy between a client and a real server that injects faults. */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const server = createServer((incoming, outgoing) => {
    void pass(incoming, outgoing, options).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function pass(incoming: IncomingMessage, outgoing: ServerResponse, options: FaultProxyOptions): Promise<void> {
  const path = incoming.url ?? '/';
  const fault = options.nextFault(path, incoming.method ?? 'GET');
  if (fault.kind === 'refuse') return void incoming.socket.destroy();
  const headers = { ...incoming.headers };
  let body = Buffer.concat(await incoming.toArray());
  if (fault.kind === 'status') {
    outgoing.writeHead(fault.status, fault.retryAfter === null ? {} : { 'retry-after': fault.retryAfter });
    return void outgoing.end();
  }
  if (fault.kind === 'forget-token' && headers['authorization']) headers['authorization'] = 'Bearer of-yesterday';
  if (options.isPlainHost?.()) {
    delete headers['x-upload-id'];
    if (path.endsWith('/DataCaptureUpload')) body = withoutExtras(body);
    headers['content-length'] = String(body.length);
  }
  if (fault.kind === 'change-request' && body.length > 0) body[body.length - 1]! ^= 1;
  const share = fault.kind === 'cut-request' || fault.kind === 'server-dies' ? fault.share : null;
  if (share !== null) {
    await sendPart(incoming, path, headers, body.subarray(0, Math.floor(body.length * share)), options.upstreamPort());
    if (fault.kind === 'server-dies') await options.restartServer?.();
    return void incoming.socket.destroy();
  }
  const answer = await sendAll(incoming, path, headers, body, options.upstreamPort());
  if (fault.kind === 'client-dies') options.killClient?.();
  if (fault.kind === 'client-dies' || fault.kind === 'lose-answer') return void incoming.socket.destroy();
  if (fault.kind === 'keep-answer') return;
  if (options.isPlainHost?.()) delete answer.headers['sightglass-stored'];
  outgoing.writeHead(answer.status, answer.headers);
  if (fault.kind !== 'cut-answer') return void outgoing.end(answer.body);
  outgoing.write(answer.body.subarray(0, answer.body.length >> 1), () => incoming.socket.destroy());
}

function sendPart(
  { method }: IncomingMessage,
  path: string,
  headers: IncomingMessage['headers'],
  part: Buffer,
  port: number,
): Promise<void> {
  return new Promise((resolve) => {
    const upstream = request({ host: '127.0.0.1', port, method, path, headers, agent: false });
    upstream.on('error', () => resolve());
    upstream.flushHeaders();
    upstream.write(part, () => {
      upstream.destroy();
      resolve();
    });
  });
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

function sendAll(
  { method }: IncomingMessage,
  path: string,
  headers: IncomingMessage['headers'],
  body: Buffer,
  port: number,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const upstream = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      response
        .toArray()
        .then(
          (chunks: Buffer[]) =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
          reject,
        );
    });
    upstream.on('error', reject);
    upstream.end(body);
  });
}

const envelopeHeadBytes = 5;

function withoutExtras(envelope: Buffer): Buffer<ArrayBuffer> {
  const message = fromBinary(DataCaptureUploadRequestSchema, envelope.subarray(envelopeHeadBytes));
  message.metadata!.tags = [];
  message.metadata!.datasetIds = [];
  for (const { metadata } of message.sensorContents) if (metadata?.annotations) delete metadata.annotations;
  const bytes = toBinary(DataCaptureUploadRequestSchema, message);
  const head = Buffer.alloc(envelopeHeadBytes);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}
