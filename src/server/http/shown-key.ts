import type { Request } from './exchange.ts';

/** Who is told once a request has shown a key. */
const watching = new WeakMap<Request, () => void>();
const withKey = new WeakSet<Request>();

/** Notes that a request is from somebody whose key, token or signature was right. */
export function noteKey(request: Request): void {
  withKey.add(request);
  watching.get(request)?.();
}

export const hasShownKey = (request: Request): boolean => withKey.has(request);

/** Calls `onKey` when the request has shown a key. */
export const watchKey = (request: Request, onKey: () => void): void => void watching.set(request, onKey);
