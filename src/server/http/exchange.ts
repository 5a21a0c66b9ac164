import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';

/** A request and its response, of HTTP/1.1 or HTTP/2. */
export type Request = IncomingMessage | Http2ServerRequest;
export type Response = ServerResponse | Http2ServerResponse;
export type Handle = (request: Request, response: Response) => void | Promise<void>;

export const pathOf = (request: Request): string => (request.url ?? '/').split('?', 1)[0]!;

/** The name, as `host:port`, that a request asks for. */
export const authorityOf = (request: Request): string | undefined =>
  'authority' in request ? request.authority : request.headers.host;

export function headersOf(request: Request): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || name.startsWith(':')) continue;
    for (const one of Array.isArray(value) ? value : [value]) headers.append(name, one);
  }
  return headers;
}

export function answerText(
  response: Response,
  status: number,
  text: string,
  contentType = 'text/plain; charset=utf-8',
): void {
  (response as ServerResponse).writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' });
  (response as ServerResponse).end(`${text}\n`);
}

// CANCEL (RFC 9113, section 7)
const cancelCode = 8;

/** Cuts the exchange short; what was sent of the response is not taken for the whole. */
export function cut(request: Request, response: Response): void {
  if ('stream' in response && 'close' in response.stream) response.stream.close(cancelCode);
  else request.socket.destroy();
}

/**
 * Whether nothing more can be sent, as where the client has left. An HTTP/1.1 response has no socket of its own before the
 * one before it on the connection is finished, which its client may have read by then.
 */
export const isGone = (response: Response): boolean =>
  'stream' in response ? response.stream.destroyed : response.req.socket.destroyed;

/** Whether the client has still to send something of its request. */
export const owesRequest = (request: Request): boolean =>
  !request.readableEnded && !request.complete && request.readableLength === 0;

/** How much of the answer waits for the client to take it. */
export const waitingBytes = (response: Response): number =>
  'stream' in response && 'writableLength' in response.stream
    ? response.stream.writableLength
    : (response as { writableLength: number }).writableLength;
