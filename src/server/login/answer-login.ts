import type { ServerResponse } from 'node:http';
import { Code, ConnectError } from '@connectrpc/connect';
import {
  type CountAttempt,
  issueOneTimeToken,
  type NoteRefusedLogIn,
  takeOneTimeToken,
} from '../../data-service/face/access.ts';
import type { DataServiceDependencies } from '../../data-service/face/hosts.ts';
import { openInvitationsTo, shownInvitation } from '../../data-service/face/accounts.ts';
import { pathOf, type Handle, type Request, type Response } from '../http/exchange.ts';
import type { Log } from '../http/log.ts';
import { admitPerson } from './admit-person.ts';
import { cookieName, readCookie, sendCookie } from './cookies.ts';
import { loginFailure, type LoginRefusal } from './login-failures.ts';
import { loginHeaders, sendLoginPage } from './login-page.ts';
import { ProviderError, type LoginAttempt, type OpenIdProvider } from './open-id-provider.ts';
import { publicOriginOf } from './login-values.ts';
import { sendSessionCookie } from './session-cookie.ts';

const loginPath = '/login';
const callbackPath = '/login/callback';
const attemptCookie = 'sightglass-login';
const attemptLifeMs = 10 * 60 * 1000;
/** Where a person arrives who has logged in: a fixed place, so that no address can send anybody elsewhere. */
const arrival = '/#/data';

export const isLogin = (path: string): boolean => path === loginPath || path === callbackPath;

/** Why a log-in ended without anybody logged in. */
class Refused extends Error {
  readonly refusal: LoginRefusal;

  constructor(refusal: LoginRefusal, options?: ErrorOptions) {
    super(refusal, options);
    this.refusal = refusal;
  }
}

export interface LoginDependencies {
  readonly service: DataServiceDependencies;
  readonly log: Log;
  /** null: people log in by other means */
  readonly provider: OpenIdProvider | null;
  readonly countFor: (request: Request) => CountAttempt;
  readonly noteFor: (request: Request) => NoteRefusedLogIn;
}

/** Answers GET /login, which sends a person to the provider, and GET /login/callback, to which the provider sends the person back. */
export function answerLogin({ service, log, provider, countFor, noteFor }: LoginDependencies): Handle {
  /** The browser keeps all of the attempt, so that another host of the same store can end it. */
  async function begin(asked: OpenIdProvider, origin: string, response: Response): Promise<string> {
    const { url, attempt } = await asked.begin(origin + callbackPath);
    keepAttempt(response, origin, await issueOneTimeToken(service, 'log-in', { ...attempt }, attemptLifeMs));
    return url.href;
  }

  async function end(
    asked: OpenIdProvider,
    origin: string,
    response: Response,
    request: Request,
    count: CountAttempt,
  ): Promise<string> {
    const kept = readCookie(request, cookieName(attemptCookie, origin));
    keepAttempt(response, origin, '');
    if (kept === null) throw new Refused('no-attempt');
    const taken = await takeOneTimeToken(service, 'log-in', kept);
    if (typeof taken === 'string') throw new Refused(taken === 'invalid' ? 'no-attempt' : taken);
    const person = await asked.end(taken as unknown as LoginAttempt, request.url!.slice(callbackPath.length));
    const takeBack = count(`${person.issuer} ${person.subject}`);
    const admitted = await admitPerson(service, person, origin);
    if ('refusal' in admitted) {
      await noteRefused(person.email, noteFor(request));
      throw new Refused(admitted.refusal);
    }
    takeBack();
    sendSessionCookie(response, origin, admitted.token, service.limits);
    return arrival;
  }

  /**
   * Tells the organizations that invited the address, or the only one that there is: of how many accounts nobody invited, not of each, as
   * there may be any number.
   */
  async function noteRefused(email: string, note: NoteRefusedLogIn): Promise<void> {
    const invitations = await openInvitationsTo(service, email);
    for (const invitation of invitations) note(shownInvitation('provider', invitation));
    const [only, ...others] = await service.store.access.listOrganizations();
    if (invitations.length > 0 || only === undefined || others.length > 0) return;
    note({ by: 'provider', organizationId: only.id, id: 'uninvited', name: '' });
  }

  async function nextPlace(request: Request, response: Response): Promise<string> {
    if (provider === null) throw new Refused('no-provider');
    if (!isNavigation(request)) throw new Refused('no-navigation');
    const count = countFor(request);
    const takeBack = count(null);
    const origin = publicOriginOf(service, request)!;
    const isBegin = pathOf(request) === loginPath;
    const place = await (isBegin ? begin(provider, origin, response) : end(provider, origin, response, request, count));
    takeBack();
    return place;
  }

  return async (request, response) => {
    try {
      const location = await nextPlace(request, response);
      (response as ServerResponse).writeHead(303, { ...loginHeaders, location });
      (response as ServerResponse).end();
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === null) throw error;
      if (error instanceof ProviderError)
        log.warn({ refusal, reason: error.reason }, 'a log-in by the provider failed');
      if (error instanceof ConnectError) response.setHeader('retry-after', error.metadata.get('retry-after')!);
      sendLoginPage(response, loginFailure(refusal, provider?.name ?? ''));
    }
  };
}

/** Null: the error is a defect, or the store cannot be used. */
function refusalOf(error: unknown): LoginRefusal | null {
  if (error instanceof Refused) return error.refusal;
  if (error instanceof ProviderError) return error.failure;
  return error instanceof ConnectError && error.code === Code.ResourceExhausted ? 'too-many' : null;
}

/** Lax, because the provider sends the browser back from another site, and no browser sends a Strict cookie then. */
const keepAttempt = (response: Response, origin: string, value: string): void =>
  sendCookie(response, origin, { name: attemptCookie, value, sameSite: 'Lax', maxAgeSeconds: attemptLifeMs / 1000 });

/** Whether a browser opens the address as a page: a picture, a frame or a form in another page must not begin a log-in, nor end it. */
const isNavigation = ({ method, headers }: Request): boolean =>
  method === 'GET' && ['document', undefined].includes(headers['sec-fetch-dest'] as string | undefined);
