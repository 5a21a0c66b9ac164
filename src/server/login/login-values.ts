import type { ContextValues } from '@connectrpc/connect';
import { countAttemptValue, type CountAttempt } from '../../data-service/access/count-attempts.ts';
import {
  sessionOf,
  sessionTokenValue,
  setSessionCookieValue,
  type SessionToken,
} from '../../data-service/access/sessions.ts';
import type { DataServiceDependencies } from '../../data-service/dependencies.ts';
import type { AttemptLimit } from '../attempt-limit.ts';
import { headersOf, type Request, type Response } from '../exchange.ts';
import { ownOriginsOf, requestedOrigin } from './own-origin.ts';
import { sendSessionCookie, shownSession } from './session-cookie.ts';

/** By which clients know the server that a request was sent to; null: the request names no host. */
export function publicOriginOf(service: DataServiceDependencies, request: Request): string | null {
  const requested = requestedOrigin(request);
  return requested === null ? null : service.publicOrigin({ url: `${requested}/`, header: headersOf(request) });
}

/** Tells a call of the session that its browser shows, how to give it another one, and who counts attempts. */
export function setLoginValues(
  values: ContextValues,
  service: DataServiceDependencies,
  count: CountAttempt,
  request: Request,
  response: Response,
): void {
  const publicOrigin = publicOriginOf(service, request);
  const [origin] = ownOriginsOf(request, publicOrigin);
  const shown = shownSession(request, publicOrigin);
  values.set(countAttemptValue, count);
  if (origin === undefined) return;
  if (shown !== null) values.set(sessionTokenValue, { token: shown.token, origin });
  values.set(setSessionCookieValue, (token) => sendSessionCookie(response, origin, token, service.limits));
}

/** The session in which a page of this server itself asks for a file; null: in none that stands. */
export async function sessionOfDownload(
  service: DataServiceDependencies,
  request: Request,
): Promise<SessionToken | null> {
  const shown = shownSession(request, publicOriginOf(service, request));
  for (const origin of shown?.origins ?? []) {
    const session = { token: shown!.token, origin };
    if ((await sessionOf(service, session)) !== null) return session;
  }
  return null;
}

/** Counts attempts of an address and of accounts together. @param onRefused told of each that was one too many */
export function countingAttempts(attempts: AttemptLimit, address: string, onRefused: () => void): CountAttempt {
  return (account) => {
    const counted = account === null ? address : accountKey(account);
    if (attempts.take(counted)) return () => attempts.giveBack(counted);
    onRefused();
    throw attempts.refusal('log in');
  };
}

/** As an account is counted: never like an address, whatever its name. */
const accountKey = (account: string): string => `account ${Buffer.from(account).toString('base64url')}`;
