import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import { base64url } from 'jose';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { Actor } from '../ports/audit-store.ts';
import type { OpenSession, PeopleStore, Person, Session } from '../ports/people-store.ts';
import { notFound } from '../ports/store-refusals.ts';
import type { Principal } from '../ports/principal.ts';

type SessionDependencies = Pick<DataServiceDependencies, 'store' | 'clock' | 'secrets' | 'limits'>;

/** A session's token as a request brings it, and the origin of the page that makes the request. */
export interface SessionToken {
  readonly token: string;
  /** origin of the page, such as 'https://data.example:8080' */
  readonly origin: string;
}

/** The session of a request. A host sets it, and only where it knows that a page of its own origin makes the request. */
export const sessionTokenValue = createContextKey<SessionToken | null>(null, { description: 'the session of a call' });

/** Sets the cookie of the answer to a session's token, or clears it (null). A host without cookies has none. */
export type SetSessionCookie = (token: string | null) => void;
export const setSessionCookieValue = createContextKey<SetSessionCookie | null>(null, {
  description: 'how the cookie of a session is set',
});

/** Fraction of a session's idle life within which further calls do not write a renewal again. */
const renewedAfter = 1 / 12;

const tokenBytes = 32;

/** A random secret, and its SHA-256 by which it is found again, both base64url. */
export async function newToken({
  secrets,
}: Pick<DataServiceDependencies, 'secrets'>): Promise<{ readonly token: string; readonly hash: string }> {
  const token = base64url.encode(secrets.randomBytes(tokenBytes));
  return { token, hash: await hashOfToken({ secrets }, token) };
}

/** The hash of a token, as the store has it. */
export const hashOfToken = async (
  { secrets }: Pick<DataServiceDependencies, 'secrets'>,
  token: string,
): Promise<string> => base64url.encode(await secrets.sha256(new TextEncoder().encode(token)));

/**
 * Logs a member in.
 * @param dependencies store, clock, cryptography and limits
 * @param membershipId as which the person works
 * @param origin of the page that logs in
 * @param verifiedEmail the person's address, where a provider verified it at this log-in
 * @returns the token of the session, which is stored nowhere
 * @throws StoreError not-found: the member was removed meanwhile
 * @example
 * import { startDataService } from '../../../tests/data-service-fixture.ts';
 * import { addMember } from '../../../tests/session-host.ts';
 * const { dependencies } = await startDataService();
 * const { id: membershipId } = await addMember(dependencies, 'reviewer');
 * (await createSession(dependencies, { membershipId, origin: 'https://data.example' })).length; // => 43
 */
export async function createSession(
  { store, clock, secrets, limits }: SessionDependencies,
  { membershipId, ...of }: Pick<Session, 'membershipId' | 'origin' | 'verifiedEmail'>,
): Promise<string> {
  const member = await store.people?.getMember(membershipId);
  if (!member) throw notFound('member', membershipId);
  const now = clock.now();
  await store.people!.forgetOver(now);
  const { token, hash } = await newToken({ secrets });
  const ends = now + limits.sessionLifeMs * 1000;
  const until = Math.min(now + limits.sessionIdleMs * 1000, ends);
  const { personId } = member;
  await peopleAs(store, member.person).createSession({
    id: hash,
    personId,
    membershipId,
    ...of,
    timeCreated: now,
    until,
    ends,
  });
  return token;
}

/** The store of people, for changes that this person makes. Only for a store that has people. */
export const peopleAs = (store: DataServiceDependencies['store'], person: Pick<Person, 'id' | 'name'>): PeopleStore =>
  store.as(actorOf(person)).people!;

const actorOf = ({ id, name }: Pick<Person, 'id' | 'name'>): Actor => ({ kind: 'person', id, name });

/**
 * Finds the session of a token, as it is now on all hosts.
 * @param dependencies store, clock, cryptography and limits
 * @param sent the token, and the origin of the page that sends it
 * @returns null: there is none, it is over, it was ended, or it is of a page of another origin
 * @example
 * import { startDataService } from '../../../tests/data-service-fixture.ts';
 * import { addMember } from '../../../tests/session-host.ts';
 * const { dependencies } = await startDataService();
 * const { id: membershipId } = await addMember(dependencies, 'reviewer');
 * const token = await createSession(dependencies, { membershipId, origin: 'https://data.example' });
 * (await sessionOf(dependencies, { token, origin: 'https://data.example' }))?.member.role; // => 'reviewer'
 * await sessionOf(dependencies, { token, origin: 'https://evil.example' }); // => null
 */
export async function sessionOf(
  { store, clock, secrets, limits }: SessionDependencies,
  { token, origin }: SessionToken,
): Promise<OpenSession | null> {
  const open = await store.people?.getSession(await hashOfToken({ secrets }, token));
  if (!open || open.session.origin !== origin) return null;
  const now = clock.now();
  // a clock that is set back by more than the idle life ends the sessions that began before
  const isEarly = open.session.timeCreated > now + limits.sessionIdleMs * 1000;
  return now < open.session.until && !isEarly ? open : null;
}

/** The session in which a call is made that anyone may make; null: in none. */
export async function sessionOfCall(
  dependencies: SessionDependencies,
  { values }: HandlerContext,
): Promise<OpenSession | null> {
  const sent = values.get(sessionTokenValue);
  return sent === null ? null : sessionOf(dependencies, sent);
}

/**
 * Whether a session that was valid when a call began is so still: it was not ended, and has not reached the end that no use moves
 * (`Session.ends`).
 * @param dependencies store, clock and cryptography
 * @param sent the session's token
 * @returns false: what goes on in it must end
 * @example
 * import { startDataService } from '../../../tests/data-service-fixture.ts';
 * import { addMember } from '../../../tests/session-host.ts';
 * const { dependencies } = await startDataService();
 * const { id: membershipId, personId } = await addMember(dependencies, 'reviewer');
 * const token = await createSession(dependencies, { membershipId, origin: 'https://data.example' });
 * await goesOn(dependencies, { token }); // => true
 * await dependencies.store.people?.deleteSessionsOf(personId);
 * await goesOn(dependencies, { token }); // => false
 */
export async function goesOn(
  { store, clock, secrets }: Pick<SessionDependencies, 'store' | 'clock' | 'secrets'>,
  { token }: Pick<SessionToken, 'token'>,
): Promise<boolean> {
  const open = (await store.people?.getSession(await hashOfToken({ secrets }, token))) ?? null;
  return open !== null && clock.now() < open.session.ends;
}

/** Renews a session that is used. Never rejects: a store that cannot write is no reason to refuse a call. */
export async function renewSession(
  { store, clock, limits }: Pick<SessionDependencies, 'store' | 'clock' | 'limits'>,
  { session }: OpenSession,
): Promise<void> {
  const [now, idle] = [clock.now(), limits.sessionIdleMs * 1000];
  const until = Math.min(now + idle, session.ends);
  if (until - session.until < idle * renewedAfter) return;
  try {
    await store.people!.renewSession(session.id, until, now);
  } catch {
    // the next call tries again
  }
}

/** Who makes a call in a session: as much as a key of the same place and role. */
export const principalOfSession = ({ member }: OpenSession): Principal => ({
  keyId: '',
  membershipId: member.id,
  organizationId: member.organizationId,
  locationId: member.locationId,
  partId: member.partId,
  role: member.role,
  actor: actorOf(member.person),
});
