import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { base64url } from 'jose';
import type { SessionService } from '../../gen/sightglass/people/v1/people_pb.ts';
import { unauthenticated } from '../access/access-gate.ts';
import { countAttemptValue } from '../access/count-attempts.ts';
import { issueOneTimeToken, takeOneTimeToken, type OneTimeUse } from '../access/one-time-token.ts';
import { noteRefusedLogInValue } from '../access/refused-log-in.ts';
import { createSession, peopleAs, sessionOfCall, setSessionCookieValue } from '../access/sessions.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { PasskeyCeremonies, PasskeyCeremony } from '../ports/passkey-ceremonies.ts';
import type { Invitation, Passkey, Person } from '../ports/people-store.ts';
import { failedPrecondition, invalidArgument } from '../wire/invalid-argument.ts';
import { openInvitation, shownInvitation, takeInvitation } from './invitations.ts';
import { passkeyDomain } from './passkey-domain.ts';
import { seenLast } from './seen-last.ts';
import { requireName } from './person-fields.ts';
import { requirePeople } from './require-people.ts';
import { unknownInvitation } from './session-routes.ts';

const ceremonyLifeMs = 5 * 60 * 1000;
const challengeBytes = 32;
/** Age of a log-in up to which a passkey can be made: a browser that was left open makes nobody else a way in. */
const freshMs = 15 * 60 * 1000;

/** The content of a ceremony's token: the ceremony, and what else its second call needs. */
type BegunCeremony = PasskeyCeremony & Readonly<Record<string, string>>;

type PasskeyRoutes = Pick<
  ServiceImpl<typeof SessionService>,
  'beginPasskeyLogIn' | 'finishPasskeyLogIn' | 'beginPasskeyRegistration' | 'finishPasskeyRegistration'
>;

/**
 * Log-in by passkeys, and how they are made: with an invitation, or by whoever is logged in. What a ceremony must know between its two
 * calls travels in a token, so that any host can end it; it is taken once.
 */
export function passkeyRoutes(dependencies: DataServiceDependencies): PasskeyRoutes {
  const { store, secrets, clock, ids } = dependencies;

  async function begin(
    use: OneTimeUse,
    context: HandlerContext,
    content: Readonly<Record<string, string>>,
    optionsOf: (ceremony: PasskeyCeremony, passkeys: PasskeyCeremonies) => Promise<string>,
  ): Promise<{ ceremony: string; optionsJson: string }> {
    const passkeys = requirePasskeys(dependencies);
    const challenge = base64url.encode(secrets.randomBytes(challengeBytes));
    const asked = { ...placeOf(dependencies, context), challenge };
    const optionsJson = await optionsOf(asked, passkeys);
    return {
      ceremony: await issueOneTimeToken(dependencies, use, { ...content, ...asked }, ceremonyLifeMs),
      optionsJson,
    };
  }

  async function finish(use: OneTimeUse, context: HandlerContext, token: string): Promise<BegunCeremony> {
    requireOwnPage(context);
    const taken = await takeOneTimeToken(dependencies, use, token);
    if (taken === 'expired') throw failedPrecondition('This took longer than five minutes; begin again.');
    if (taken === 'used') throw failedPrecondition('This was ended before; begin again.');
    if (taken === 'invalid' || taken['origin'] !== placeOf(dependencies, context).origin) {
      throw failedPrecondition('This was not begun here; begin again.');
    }
    return taken as BegunCeremony;
  }

  /** A new session, with a token that nobody had before; the one before it in the same browser ends. */
  async function logIn(context: HandlerContext, membershipId: string, origin: string): Promise<void> {
    const former = await sessionOfCall(dependencies, context);
    const token = await createSession(dependencies, { membershipId, origin });
    context.values.get(setSessionCookieValue)!(token);
    if (former !== null) await requirePeople(store).deleteSession(former.session.id);
  }

  /** A page of another origin must not log anybody in here, nor a program that keeps no cookie. */
  function requireOwnPage(context: HandlerContext): void {
    if (context.values.get(setSessionCookieValue) !== null) return;
    throw failedPrecondition('People log in by a page of this server, in a browser.');
  }

  return {
    beginPasskeyLogIn: (_, context) =>
      begin('passkey-log-in', context, {}, (ceremony, passkeys) => passkeys.logInOptions(ceremony)),

    async finishPasskeyLogIn({ ceremony, responseJson, invitationToken }, context) {
      const [people, passkeys] = [requirePeople(store), requirePasskeys(dependencies)];
      const begun = await finish('passkey-log-in', context, ceremony);
      const id = passkeys.passkeyIdOf(responseJson) ?? '';
      const takeBack = context.values.get(countAttemptValue)?.(`passkey:${id}`);
      const passkey = await people.getPasskey(id);
      const counter = passkey && (await passkeys.verifyLogIn(begun, responseJson, passkey));
      const member = passkey && (await seenLast(people, passkey.personId));
      // one answer for a passkey that is not known and for one that does not fit: it says nothing of who is here
      if (passkey === null || counter === null || member === null) {
        await noteRefused(context, passkey);
        throw unauthenticated(
          'This passkey is not known here, or its answer does not fit; ask an owner for an invitation.',
        );
      }
      if (Math.max(counter, passkey.counter) > 0 && counter <= passkey.counter) {
        await noteRefused(context, passkey);
        throw unauthenticated(
          'This passkey has signed more often elsewhere than its counter says: it may have been copied. Make a new one by an invitation.',
        );
      }
      if (counter !== passkey.counter) await people.setPasskeyCounter(id, counter);
      takeBack?.();
      const invitation = await invitationOf(context, invitationToken);
      const { id: membershipId } =
        invitation === null ? member : await takeInvitation(dependencies, invitation, member.person, null);
      await logIn(context, membershipId, begun.origin);
      return {};
    },

    async beginPasskeyRegistration({ invitationToken, name }, context) {
      const people = requirePeople(store);
      placeOf(dependencies, context); // where there are no passkeys, nothing else is asked
      const { invitation, person } = await whose(context, invitationToken, name);
      const known = invitation === null ? await people.listPasskeys(person.id) : [];
      const content = { personId: person.id, invitation: invitation?.id ?? '' };
      return begin('passkey-registration', context, content, (ceremony, passkeys) =>
        passkeys.registrationOptions(ceremony, person, known),
      );
    },

    async finishPasskeyRegistration({ ceremony, responseJson, invitationToken, name }, context) {
      const passkeys = requirePasskeys(dependencies);
      const begun = await finish('passkey-registration', context, ceremony);
      const { invitation, person } = await whose(context, invitationToken, name);
      const personId = begun['personId']!;
      const isSame = (invitation?.id ?? '') === begun['invitation'] && (invitation !== null || person.id === personId);
      const made = isSame ? await passkeys.verifyRegistration(begun, responseJson) : null;
      if (made === null) {
        if (invitation !== null) context.values.get(noteRefusedLogInValue)?.(shownInvitation('invitation', invitation));
        throw invalidArgument('The answer of the authenticator does not fit what was begun; begin again.');
      }
      const passkey = { ...made, personId, name: nameOfPasskey(clock.now()), timeCreated: clock.now() };
      if (invitation === null) {
        await peopleAs(store, person).addPasskey(passkey);
        return {};
      }
      const member = await takeInvitation(dependencies, invitation, { ...person, id: personId }, passkey);
      await logIn(context, member.id, begun.origin);
      return {};
    },
  };

  /** Every organization of a person learns that a passkey of theirs was shown and refused; of an unknown one nobody is told. */
  async function noteRefused(context: HandlerContext, passkey: Passkey | null): Promise<void> {
    if (passkey === null) return;
    const { personId, id } = passkey;
    for (const { organizationId, person } of await requirePeople(store).listMembers({ personId }))
      context.values.get(noteRefusedLogInValue)?.({ by: 'passkey', organizationId, id, name: person.name });
  }

  /** The invitation of a token; null for ''. @throws ConnectError NotFound */
  async function invitationOf(context: HandlerContext, token: string): Promise<Invitation | null> {
    if (token === '') return null;
    const invitation = await openInvitation(dependencies, token, context.values.get(noteRefusedLogInValue));
    if (invitation === null) throw unknownInvitation();
    return invitation;
  }

  /**
   * For whom a passkey is made: with an invitation a new person, otherwise who is logged in. Who opens an invitation may use a browser
   * in which somebody else is logged in: their passkey must not log them in as that person.
   * @throws ConnectError without an invitation and a session
   */
  async function whose(
    context: HandlerContext,
    invitationToken: string,
    name: string,
  ): Promise<{ readonly invitation: Invitation | null; readonly person: Person }> {
    const invitation = await invitationOf(context, invitationToken);
    if (invitation !== null) {
      const given = requireName(name || invitation.name);
      const { email } = invitation;
      const person = { id: ids.next(), name: given, email, issuer: '', subject: '', timeCreated: clock.now() };
      return { invitation, person };
    }
    const open = await sessionOfCall(dependencies, context);
    if (open === null) throw unauthenticated('Log in, or open the link of an invitation, to make a passkey.');
    if (clock.now() - open.session.timeCreated > freshMs * 1000) {
      throw failedPrecondition(
        'You logged in more than 15 minutes ago; log out and in again, and then make the passkey.',
      );
    }
    return { invitation, person: open.member.person };
  }
}

/** @throws ConnectError FailedPrecondition on a host without passkeys */
function requirePasskeys({ store, logIn }: DataServiceDependencies): PasskeyCeremonies {
  requirePeople(store);
  if (logIn.passkeys === null) throw failedPrecondition('This host has no log-in by passkeys; use an API key.');
  return logIn.passkeys;
}

/** @throws ConnectError FailedPrecondition where browsers make no passkeys */
function placeOf(
  dependencies: DataServiceDependencies,
  { url, requestHeader }: HandlerContext,
): Pick<PasskeyCeremony, 'origin' | 'rpId'> {
  requirePasskeys(dependencies);
  const origin = dependencies.publicOrigin({ url, header: requestHeader });
  const rpId = passkeyDomain(origin);
  if (rpId === null) {
    throw failedPrecondition(
      `Browsers have passkeys for names with https, and for localhost; this server is ${origin}.`,
    );
  }
  return { origin, rpId };
}

/** By which a person tells one from another: the day on which it was made. */
const nameOfPasskey = (now: number): string => `Passkey of ${new Date(now / 1000).toISOString().slice(0, 10)}`;
