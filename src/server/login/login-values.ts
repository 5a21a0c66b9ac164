import type { ContextValues } from '@connectrpc/connect';
import {
  type CountAttempt,
  countAttemptValue,
  sessionOf,
  type SessionToken,
  sessionTokenValue,
  setSessionCookieValue,
} from '../../data-service/face/access.ts';
import type { DataServiceDependencies } from '../../data-service/face/hosts.ts';
import type { AttemptLimit } from '../limits/attempt-limit.ts';
import { headersOf, type Request, type Response } from '../http/exchange.ts';
import { ownOriginsOf, requestedOrigin } from './own-origin.ts';
import { sendSessionCookie, shownSession } from './session-cookie.ts';

/** The origin by which clients reach the server to which a request was sent; null: the request names no host. */
export function publicOriginOf(service: DataServiceDependencies, request: Request): string | null {
  const requested = requestedOrigin(request);
  return requested === null ? null : service.publicOrigin({ url: `${requested}/`, header: headersOf(request) });
}

/** Gives a call the session of its browser's cookie, a way to set another one, and the counter of log-in attempts. */
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

/** The session in which a page of this server asks for a file; null: none that is valid. */
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

/** Counts log-in attempts, by address or by account. @param onRefused called for each attempt that is one too many */
export function countingAttempts(attempts: AttemptLimit, address: string, onRefused: () => void): CountAttempt {
  return (account, what = 'log in') => {
    const counted = account === null ? address : accountKey(account);
    if (attempts.take(counted)) return () => attempts.giveBack(counted);
    onRefused();
    throw attempts.refusal(what);
  };
}

/** By what an account is counted, which is never equal to an address, whatever the account's name. */
const accountKey = (account: string): string => `account ${Buffer.from(account).toString('base64url')}`;
