import type { DataServiceLimits } from '../../data-service/dependencies.ts';
import type { Request, Response } from '../exchange.ts';
import { cookieName, readCookie, sendCookie } from './cookies.ts';
import { ownOriginsOf } from './own-origin.ts';

const name = 'sightglass-session';
/** Of 32 bytes in base64url, as `createSession` makes it. */
const tokenPattern = /^[\w-]{43}$/;
/** By which a client says by itself who it is: then no cookie counts, so that it is never two at once. */
const credentialHeaders = ['authorization', 'key_id', 'key'];

/** A session that a browser shows, and the origins of which the page that shows it may be. */
export interface ShownSession {
  readonly token: string;
  readonly origins: readonly string[];
}

/**
 * The session of a request; null: it shows none that counts. A cookie counts only where the browser says that a page of this server
 * itself has sent the request, which no other page can make it say.
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

/** Gives a browser its session; null: takes it away. */
export function sendSessionCookie(
  response: Response,
  origin: string,
  token: string | null,
  { sessionLifeMs }: Pick<DataServiceLimits, 'sessionLifeMs'>,
): void {
  const maxAgeSeconds = Math.ceil(sessionLifeMs / 1000);
  sendCookie(response, origin, { name, value: token ?? '', sameSite: 'Strict', maxAgeSeconds });
}
