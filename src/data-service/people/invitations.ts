import { hashOfToken, newToken, peopleAs } from '../access/sessions.ts';
import type { NoteRefusedLogIn } from '../access/refused-log-in.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { ShownLogIn } from '../ports/access-store.ts';
import type { Invitation, Member, Passkey, Person, Powers } from '../ports/people-store.ts';
import { requirePeople } from './require-people.ts';

type InvitationDependencies = Pick<DataServiceDependencies, 'store' | 'clock' | 'ids' | 'secrets' | 'limits'>;

/** A new invitation and its token, which is returned only here and not stored. */
export interface CreatedInvitation {
  readonly invitation: Invitation;
  readonly token: string;
}

/**
 * Invites someone, by a token of 256 random bits that one person may take once.
 * @param dependencies store, clock, ids, cryptography and limits; its store says who invites
 * @param of what is offered, to whom, and who offers it
 * @returns the stored invitation, which holds a hash, and the token
 * @throws ConnectError FailedPrecondition on a host without people
 * @example
 * import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
 * import { webCryptoSecrets } from '../access/web-crypto-secrets.ts';
 * const clock = { now: () => 5e6 };
 * const store = memoryDataStore(clock);
 * const dependencies = { store, clock, ids: { next: () => 'i' }, secrets: webCryptoSecrets(crypto, 1), limits: { invitationLifeMs: 1000 } };
 * const of = { organizationId: 'a', locationId: null, partId: null, role: 'annotator', name: 'Ada', email: '', invitedBy: 'Eve' };
 * const { invitation, token } = await createInvitation(dependencies, of);
 * [invitation.expires, token.length]; // => [6e6, 43]
 */
export async function createInvitation(
  {
    store,
    clock,
    ids,
    secrets,
    limits,
  }: Omit<InvitationDependencies, 'store'> & { readonly store: Pick<InvitationDependencies['store'], 'people'> },
  of: Pick<Invitation, 'organizationId' | keyof Powers | 'name' | 'email' | 'invitedBy'>,
): Promise<CreatedInvitation> {
  const people = requirePeople(store);
  const { token, hash: tokenHash } = await newToken({ secrets });
  const now = clock.now();
  const expires = now + limits.invitationLifeMs * 1000;
  const invitation: Invitation = { ...of, id: ids.next(), tokenHash, timeCreated: now, expires };
  await people.createInvitation(invitation);
  return { invitation, token };
}

/**
 * Finds the invitation of a token.
 * @param dependencies store, clock and cryptography
 * @param token as its link has it
 * @param note told of one that is over
 * @returns null: there is none, it was taken or deleted, or it is over
 */
export async function openInvitation(
  { store, clock, secrets }: Pick<InvitationDependencies, 'store' | 'clock' | 'secrets'>,
  token: string,
  note: NoteRefusedLogIn | null = null,
): Promise<Invitation | null> {
  const invitation = await requirePeople(store).findInvitation(await hashOfToken({ secrets }, token));
  if (invitation === null || invitation.expires > clock.now()) return invitation;
  note?.(shownInvitation('invitation', invitation));
  return null;
}

/** An invitation whose link was shown, or whose address an account of the provider says that it has. */
export const shownInvitation = (
  by: 'invitation' | 'provider',
  { organizationId, id, name, email }: Invitation,
): ShownLogIn => ({ by, organizationId, id, name: name || email });

/**
 * Lists the invitations to an e-mail address that may still be taken, of all organizations, the oldest first.
 * @param dependencies store and clock
 * @param email in lower case; '': none has it
 * @returns the open ones
 * @throws ConnectError FailedPrecondition on a host without people
 * @example
 * await openInvitationsTo({}, ''); // => []
 */
export async function openInvitationsTo(
  { store, clock }: Pick<InvitationDependencies, 'store' | 'clock'>,
  email: string,
): Promise<readonly Invitation[]> {
  if (email === '') return [];
  const invitations = await requirePeople(store).listInvitations({ email });
  return invitations.filter(({ expires }) => expires > clock.now()).sort((a, b) => a.timeCreated - b.timeCreated);
}

/**
 * Takes an invitation on behalf of a person, who becomes a member.
 * @param dependencies store, clock and ids
 * @param invitation an open one
 * @param person who takes it: one who is known, or a new one
 * @param passkey of a new person who logs in by it
 * @returns the member
 * @throws StoreError not-found: the invitation was taken or deleted meanwhile
 * @example
 * import { startDataService } from '../../../tests/data-service-fixture.ts';
 * const { dependencies } = await startDataService();
 * const of = { organizationId: 'a', locationId: null, partId: null, role: 'reviewer', name: 'Ada', email: '', invitedBy: 'Bob' };
 * const { invitation } = await createInvitation(dependencies, of);
 * const ada = { id: 'ada', name: 'Ada', email: '', issuer: '', subject: '', timeCreated: 0 };
 * (await takeInvitation(dependencies, invitation, ada, null)).role; // => 'reviewer'
 */
export async function takeInvitation(
  { store, clock, ids }: Pick<InvitationDependencies, 'store' | 'clock' | 'ids'>,
  { id: invitationId, organizationId, locationId, partId, role }: Invitation,
  person: Person,
  passkey: Passkey | null,
): Promise<Member> {
  const id = ids.next();
  const of = { id, personId: person.id, organizationId, locationId, partId, role };
  const membership = { ...of, timeCreated: clock.now(), timeSeen: null };
  await peopleAs(store, person).join(invitationId, person, membership, passkey);
  return { ...membership, person };
}
