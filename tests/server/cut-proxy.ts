import { once } from 'node:events';
import {
  connect,
  createServer,
  type ClientHttp2Session,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What happens to the connection of a client during one of its calls. */
export type Cut =
  /** the connection breaks after the first bytes of the request */
  | 'request'
  /** the connection breaks when the server has answered, and before the client knows */
  | 'answer'
  /** the server is killed after the first bytes of the request, and restarted; the connection breaks */
  | 'server';

export interface CutProxy {
  readonly origin: string;
  /** which calls were cut, and how, as `answer of FileUpload`, in their order */
  readonly cuts: readonly string[];
}

/**
 * Starts a proxy for gRPC over plain HTTP/2, at which connections of its client break with all calls on them. It is closed at the
 * end of the test.
 *
 * @param upstream the origin of the server
 * @param nextCut what happens to this call; null: nothing
 * @param restart kills the server and starts it again at the same origin
 */
export async function startCutProxy(
  upstream: string,
  nextCut: (path: string) => Cut | null,
  restart: () => Promise<unknown>,
): Promise<CutProxy> {
  const cuts: string[] = [];
  const sessions = new Set<ServerHttp2Session>();
  let server: ClientHttp2Session | null = null;
  let isUp: Promise<unknown> = Promise.resolve();

  const connected = (): ClientHttp2Session => {
    if (server === null || server.closed || server.destroyed) {
      server = connect(upstream);
      server.on('error', () => undefined);
    }
    return server;
  };

  async function pass(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    const path = headers[':path']!;
    const cut = nextCut(path);
    await isUp;
    const call = connected().request({ ...headers, ':authority': new URL(upstream).host });
    const breakOff = (): void => {
      cuts.push(`${cut} of ${path.slice(path.lastIndexOf('/') + 1)}`);
      stream.session?.destroy();
      if (cut === 'server') isUp = restart();
    };
    stream.on('close', () => call.close(stream.rstCode));
    call.on('error', () => stream.session?.destroy());
    stream.on('data', (bytes: Buffer) => call.write(bytes));
    if (cut === 'request' || cut === 'server') stream.once('data', breakOff);
    stream.on('end', () => call.end());
    let trailers: IncomingHttpHeaders = {};
    call.on('trailers', (said) => (trailers = said));
    call.on('response', (answer, flags) => {
      if (cut === 'answer' || stream.destroyed) return;
      const isWhole = (flags & 1) !== 0; // END_STREAM: an answer of headers alone
      stream.respond(answer, { endStream: isWhole, waitForTrailers: !isWhole });
      stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    });
    call.on('data', (bytes: Buffer) => {
      if (cut !== 'answer' && !stream.destroyed) stream.write(bytes);
    });
    call.on('end', () => {
      if (cut === 'answer') breakOff();
      else if (!stream.destroyed) stream.end();
    });
  }

  const proxy: Http2Server = createServer();
  proxy.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => undefined);
  });
  proxy.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    void pass(stream, headers);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.close();
    for (const session of sessions) session.destroy();
    server?.destroy();
  });
  return { origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, cuts };
}
