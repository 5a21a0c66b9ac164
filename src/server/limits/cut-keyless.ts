import { cut, owesRequest, type Request, type Response } from '../http/exchange.ts';
import { hasShownKey } from '../http/shown-key.ts';

/**
 * Cuts off a request that has shown no key and is not whole after `deadlineMs`, however steadily it comes: whoever has no
 * key asks for little, so that nobody honest takes that long.
 */
export function cutKeyless(request: Request, response: Response, deadlineMs: number, onCut: () => void): void {
  const timer = setTimeout(() => {
    if (hasShownKey(request) || !owesRequest(request)) return;
    onCut();
    cut(request, response);
  }, deadlineMs);
  // in HTTP/1.1 the rest of a request may come after its answer
  request.once('close', () => clearTimeout(timer));
}
