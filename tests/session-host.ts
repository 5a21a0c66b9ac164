import type { ConnectRouter } from '@connectrpc/connect';
import {
  createSession,
  sessionTokenValue,
  setSessionCookieValue,
  type SessionToken,
} from '../src/data-service/access/sessions.ts';
import type { DataServiceDependencies } from '../src/data-service/ports/dependencies.ts';
import type { Role } from '../src/data-service/ports/access-store.ts';
import type { Member } from '../src/data-service/ports/people-store.ts';
import { createInvitation, takeInvitation } from '../src/data-service/people/invitations.ts';

/** Where pages of the service of tests come from. */
export const sessionOrigin = 'https://data.example';

/** Headers by which tests bring a session to a service without a server: its token, and the origin of the page. */
export const sessionHeaders = ({ token, origin }: SessionToken): Record<string, string> => ({
  'test-session': token,
  'test-origin': origin,
});

/** A router whose calls have the session that `sessionHeaders` say, as a server sets it by cookies. `cookies` notes what they set. */
export function withSessions(router: ConnectRouter, cookies: (string | null)[]): ConnectRouter {
  const setting: ConnectRouter = {
    ...router,
    service(type, implementation, options) {
      router.service(type, implementation, {
        ...options,
        requestGate: async (context) => {
          const [token, origin] = ['test-session', 'test-origin'].map((name) => context.requestHeader.get(name));
          if (token && origin) context.values.set(sessionTokenValue, { token, origin });
          context.values.set(setSessionCookieValue, (set) => void cookies.push(set));
          await options?.requestGate?.(context);
        },
      });
      return setting;
    },
  };
  return setting;
}

let people = 0;

/** Lets a new person join an organization, by an invitation. */
export async function addMember(
  dependencies: DataServiceDependencies,
  role: Role,
  locationId: string | null = null,
  organizationId = 'a',
  partId: string | null = null,
): Promise<Member> {
  const id = `person-${++people}`;
  const [name, email] = [`${role} ${id}`, `${id}@example.org`];
  const of = { organizationId, locationId, partId, role, name, email, invitedBy: 'tests' };
  const { invitation } = await createInvitation(dependencies, of);
  const person = { id, name, email, issuer: '', subject: '', timeCreated: dependencies.clock.now() };
  return takeInvitation(dependencies, invitation, person, null);
}

/** Logs a member in, from a page of the service. */
export const logMemberIn = async (dependencies: DataServiceDependencies, { id }: Member): Promise<SessionToken> => ({
  token: await createSession(dependencies, { membershipId: id, origin: sessionOrigin }),
  origin: sessionOrigin,
});
