import type { Request } from './exchange.ts';

/**
 * Makes the reader of a cancelled HTTP/2 request fail. Node ends its body as if it were whole (a reset by CANCEL is no
 * error to it), and half an upload would be stored as all of it.
 */
export function failWhenCancelled(request: Request): void {
  if (!('stream' in request)) return;
  request.on('error', () => undefined); // whoever reads the body learns of it there
  request.stream.on('aborted', () => {
    if (!request.readableEnded) request.destroy(new Error('The client cancelled the request.'));
  });
}
