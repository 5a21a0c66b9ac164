import { webAuthn } from '../../src/platform/node/web-authn.ts';
import { serveForTest, type TestServer } from '../../src/server/test-server.ts';
import { joinByPasskey, type PasskeyVisitor } from './log-in-by-passkey.ts';
import { callAs, invite, localOrigin, sessionCookie, type Answer } from './people-server.ts';
import { rawRequest, type RawAnswer } from './raw-request.ts';
import { TestAuthenticator } from './test-authenticator.ts';
import { TestBrowser } from './test-browser.ts';

/** Somebody who is logged in, by a passkey, in a browser of their own. */
export interface Visitor extends PasskeyVisitor {
  readonly membershipId: string;
  /** token of the session */
  readonly token: () => string;
  readonly call: (call: string, message?: object) => Promise<Answer>;
}

type Offer = Parameters<typeof invite>[1];

export interface PeopleAtWork {
  readonly server: TestServer;
  readonly origin: string;
  readonly join: (offer?: Offer) => Promise<Visitor>;
  /** Another host of the same store, which knows itself by the same origin. */
  readonly otherHost: () => Promise<TestServer>;
}

/** A server to which people are invited and log in. */
export async function startPeopleServer(options: Parameters<typeof serveForTest>[0] = {}): Promise<PeopleAtWork> {
  const logIn = { passkeys: webAuthn, providerName: '' };
  const server = await serveForTest({ ...options, service: { logIn, ...options.service } });
  const origin = localOrigin(server);
  return {
    server,
    origin,
    async join(offer) {
      const visitor = { browser: new TestBrowser(), authenticator: new TestAuthenticator(), origin };
      const joined = await joinByPasskey(visitor, await invite(server, offer));
      if (joined.code !== '') throw new Error(JSON.stringify(joined.json));
      const call: Visitor['call'] = (name, message) => callAs(visitor.browser, origin, name, message);
      const { membership } = (await call('SessionService/GetSession')).json as { membership: { id: string } };
      return {
        ...visitor,
        call,
        membershipId: membership.id,
        token: () => visitor.browser.cookies.get(sessionCookie)!.value,
      };
    },
    otherHost() {
      const dependencies = { ...server.service.dependencies, publicOrigin: () => origin };
      return serveForTest({ shares: { ...server.service, dependencies } });
    },
  };
}

const listTags = '/viam.app.data.v1.DataService/TagsByFilter';

/**
 * Asks, with headers of the sender's choice, what only somebody who is logged in may know.
 * @param headers beside those of a call of Connect
 */
export const askAsSomebody = (
  origin: string,
  headers: Readonly<Record<string, string | string[]>>,
  { method = 'POST', path = listTags, body = '{}' } = {},
): Promise<RawAnswer> =>
  rawRequest(origin, { path, method, headers: { 'content-type': 'application/json', ...headers }, body });

/** What a browser sends with a call that a page of `origin` makes. */
export const ofPage = (origin: string, cookie: string): Record<string, string> => ({
  origin,
  'sec-fetch-site': 'same-origin',
  cookie,
});

export const cookieOf = ({ token }: Pick<Visitor, 'token'>): string => `${sessionCookie}=${token()}`;
