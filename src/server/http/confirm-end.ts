import type { Request } from './exchange.ts';

/**
 * Takes an upload of HTTP/2 for whole only once its client has answered a ping. Clients of Node that cancel end their
 * half first and reset it right after: half a file would look whole to whoever reads it in between. What they sent
 * before they answer has come by then, and has aborted the request.
 */
export function confirmEnd(request: Request): void {
  if (!('stream' in request)) return; // HTTP/1.1 marks the end of its bodies
  const { stream } = request;
  const push = request.push.bind(request);
  const end = (): void => void push(null);
  request.push = (chunk: Uint8Array | null, encoding) => {
    if (chunk !== null || stream.closed) return push(chunk, encoding);
    if (stream.session?.ping(end) !== true) end();
    return false;
  };
}
