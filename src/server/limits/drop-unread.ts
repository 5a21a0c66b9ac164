import type { ServerHttp2Stream } from 'node:http2';
import type { Request, Response } from '../http/exchange.ts';

// NO_ERROR: the answer is whole, only the rest of the request is not wanted (RFC 9113, section 8.1)
const noErrorCode = 0;

/**
 * Lets go of what is left of a request that was answered before it was read to its end, as one that is refused by its
 * first message is. Without it the exchange would stay open and count against its connection for good. What still
 * comes is thrown away: HTTP/1.1 clients may read no answer before they have sent everything.
 */
export function dropUnread(request: Request, response: Response): void {
  if (!('stream' in response && 'stream' in request)) {
    response.once('finish', () => drain(request));
    return;
  }
  const stream = response.stream as ServerHttp2Stream;
  const reset = (): void => {
    if (request.complete || stream.destroyed) return;
    stream.close(noErrorCode);
    // Iterating destroys what it leaves early: then nobody takes what waits, and the stream would stay open for it.
    if (request.destroyed) stream.destroy();
  };
  // Trailers are sent last, after the writable side has said that it finished.
  stream.once('wantTrailers', () => {
    setImmediate(() => {
      if (request.complete || stream.destroyed) return;
      drain(request);
      // Clients of Node take a reset that overtakes their reading for the answer; one that has answered the ping comes later.
      if (stream.session?.ping(reset) !== true) reset();
    });
  });
}

/** Reads on by `readable`: what began to read by it, as iterating does, must go on by it. */
function drain(request: Request): void {
  const readAll = (): void => {
    while (request.read() !== null);
  };
  request.on('readable', readAll);
  readAll();
}
