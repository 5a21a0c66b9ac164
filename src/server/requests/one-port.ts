import { createServer as createHttp1Server, type Server as Http1Server } from 'node:http';
import { createSecureServer, createServer as createHttp2Server, type ServerHttp2Session } from 'node:http2';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import { isProbe } from '../monitoring/answer-monitoring.ts';
import { ConnectionSlots, type ConnectionLimit } from '../limits/connection-slots.ts';
import { answerText, owesRequest, pathOf, waitingBytes, type Handle } from '../http/exchange.ts';
import type { ServerLimits } from '../limits/server-limits.ts';
import { watchKey } from '../http/shown-key.ts';

export interface TlsFiles {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

export interface OnePort {
  readonly port: number;
  /** For connections from now on; of a port that was opened with a certificate. */
  renewCertificate(tls: TlsFiles): void;
  /** Takes no new connections, lets running exchanges end for `graceMs`, then cuts the rest. */
  close(graceMs: number): Promise<void>;
}

// RFC 9113, section 3.4; the first four bytes tell it from every HTTP/1.1 method.
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const sniffedBytes = 4;
// Node's 64 KiB would make a long way to the server slow.
const windowBytes = 4 * 1024 * 1024;
// Node's 511 would make an honest client wait a second beside a crowd that connects at once.
const waitingConnections = 4096;
// Node refuses further calls on a connection whose answers wait with more; its 10 are less than one page.
const sessionMegabytes = 256;

/**
 * Serves HTTP/1.1 and HTTP/2 on one port. With a certificate the client chooses by ALPN; without, by its first bytes,
 * since clients of native gRPC begin HTTP/2 without asking.
 */
export async function listenOnOnePort(
  handle: Handle,
  options: {
    readonly host: string;
    readonly port: number;
    readonly tls: TlsFiles | null;
    readonly limits: ServerLimits;
    /** told of each connection that a limit refuses or closes */
    readonly onClosed: (limit: ConnectionLimit) => void;
  },
): Promise<OnePort> {
  const { limits, tls } = options;
  const sockets = new Set<Socket>();
  const sessions = new Set<ServerHttp2Session>();
  const http1Options = {
    headersTimeout: limits.headersTimeoutMs,
    // An upload may take hours; stalled ones are found by `cutStalled`.
    requestTimeout: 0,
    keepAliveTimeout: limits.idleTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, limits.headersTimeoutMs),
  };
  const http2Options = {
    settings: { maxConcurrentStreams: limits.maxStreamsPerConnection, initialWindowSize: windowBytes },
    maxSessionMemory: sessionMegabytes,
    maxOutstandingPings: limits.maxStreamsPerConnection, // one for each that may be answered at once
  };
  const onSession = (session: ServerHttp2Session): void => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => undefined); // the client's end of it broke: its streams tell their handlers
    session.setLocalWindowSize(windowBytes);
    let open = 0;
    let idle = setTimeout(() => session.destroy(), limits.headersTimeoutMs);
    session.on('stream', (stream) => {
      open++;
      clearTimeout(idle);
      stream.on('close', () => {
        if (--open === 0 && !session.destroyed) idle = setTimeout(() => session.close(), limits.idleTimeoutMs);
      });
    });
    session.on('close', () => clearTimeout(idle));
  };
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  };

  const places = new ConnectionSlots(limits.maxConnections, limits.maxConnectionsPerAddress, options.onClosed);
  const answer: Handle = (request, response) => {
    const waitsForServer = (): boolean => !owesRequest(request) && waitingBytes(response) === 0;
    const exchange = places.begin(request.socket, waitsForServer);
    watchKey(request, () => exchange.showKey());
    response.once('close', () => exchange.end());
    if (!places.isForProbes(request.socket) || isProbe(pathOf(request))) return handle(request, response);
    answerText(response, 503, 'The server has as many connections as it takes; try again later.');
  };
  const listener = (...exchange: Parameters<Handle>): void => void answer(...exchange);
  let server: Server;
  let http1: Http1Server | null = null;
  if (tls) {
    const secure = createSecureServer(
      { ...http1Options, ...http2Options, ...tls, allowHTTP1: true, handshakeTimeout: limits.headersTimeoutMs },
      listener,
    );
    secure.on('session', onSession);
    server = secure;
  } else {
    const plain = createHttp1Server(http1Options, listener);
    // Node begins to watch for slow headers when a server listens; this one is handed its connections.
    plain.emit('listening');
    const http2 = createHttp2Server(http2Options, listener);
    http2.on('session', onSession);
    server = createTcpServer((socket) => {
      sniff(socket, limits.headersTimeoutMs, (isHttp2) => (isHttp2 ? http2 : plain).emit('connection', socket));
    });
    http1 = plain;
  }
  server.on('connection', track);
  server.on('connection', (socket: Socket) => places.admit(socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: options.port, host: options.host, backlog: waitingConnections }, () => {
      server.off('error', reject);
      resolve();
    });
  });

  return {
    port: (server.address() as AddressInfo).port,
    renewCertificate: (renewed) => (server as TlsServer).setSecureContext(renewed),
    async close(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const idle = http1 ?? (server as Partial<Http1Server>);
      const closeIdle = (): void => idle.closeIdleConnections?.();
      for (const session of sessions) session.close();
      closeIdle();
      // A connection of HTTP/1.1 that is kept after its last answer is idle only then.
      const again = setInterval(closeIdle, 100);
      const cutRest = setTimeout(() => sockets.forEach((socket) => socket.destroy()), graceMs);
      await closed;
      clearInterval(again);
      clearTimeout(cutRest);
      http1?.close();
    },
  };
}

/** Reads as many bytes as tell the versions apart, and puts them back. A client that sends none is cut off. */
function sniff(socket: Socket, timeoutMs: number, decide: (isHttp2: boolean) => void): void {
  socket.on('error', () => undefined); // before anybody else listens: a reset connection is nobody's defect
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  const onReadable = (): void => {
    const head = socket.read(Math.max(sniffedBytes, socket.readableLength)) as Buffer | null;
    if (head === null) return;
    clearTimeout(timer);
    socket.off('readable', onReadable);
    socket.unshift(head);
    decide(head.subarray(0, sniffedBytes).equals(preface.subarray(0, sniffedBytes)));
  };
  socket.on('readable', onReadable);
  socket.on('close', () => clearTimeout(timer));
}
