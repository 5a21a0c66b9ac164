import type { DataServiceLimits } from '../../data-service/face/hosts.ts';
import type { Request, Response } from '../http/exchange.ts';
import { cookieName, readCookie, sendCookie } from './cookies.ts';
import { ownOriginsOf } from './own-origin.ts';

const name = 'sightglass-session';
/** Tokens of 32 bytes in base64url, as `createSession` makes them. */
const tokenPattern = /^[\w-]{43}$/;
/** Headers of other credentials: the cookie of a request that has one is ignored, so that no request acts for two at once. */
const credentialHeaders = ['authorization', 'key_id', 'key'];

/** The token in a session's cookie, and the origins to which the page that sent it can belong. */
export interface ShownSession {
  readonly token: string;
  readonly origins: readonly string[];
}

/**
 * The session of a request's cookie; null: there is none, or it is ignored. A cookie counts only where the browser says that a page of
 * this server sent the request, which no page of another origin can make it say.
 */
export function shownSession(request: Request, publicOrigin: string | null): ShownSession | null {
  if (credentialHeaders.some((header) => request.headers[header] !== undefined)) return null;
  const origins = ownOriginsOf(request, publicOrigin);
  for (const origin of origins) {
    const token = readCookie(request, cookieName(name, origin));
    if (token !== null && tokenPattern.test(token)) return { token, origins };
  }
  return null;
}

/** Sets the session's cookie in a browser. @param token null: deletes the cookie */
export function sendSessionCookie(
  response: Response,
  origin: string,
  token: string | null,
  { sessionLifeMs }: Pick<DataServiceLimits, 'sessionLifeMs'>,
): void {
  const maxAgeSeconds = Math.ceil(sessionLifeMs / 1000);
  sendCookie(response, origin, { name, value: token ?? '', sameSite: 'Strict', maxAgeSeconds });
}
