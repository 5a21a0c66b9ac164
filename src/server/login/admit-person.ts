import { createSession } from '../../data-service/access/sessions.ts';
import type { DataServiceDependencies } from '../../data-service/dependencies.ts';
import { seenLast } from '../../data-service/people/seen-last.ts';
import { takeInvitation } from '../../data-service/people/invitations.ts';
import type { Member } from '../../data-service/ports/people-store.ts';
import { StoreError } from '../../data-service/ports/store-error.ts';
import type { ProvidedPerson } from './open-id-provider.ts';

/**
 * Logs in the person whom the provider has named: one who is known by it, or who is invited by an e-mail address that the provider has
 * verified. All open invitations to that address are taken.
 * @param origin for which the session is valid
 * @returns the token of the session, or why there is none
 */
export async function admitPerson(
  dependencies: DataServiceDependencies,
  provided: ProvidedPerson,
  origin: string,
): Promise<{ readonly token: string } | { readonly refusal: 'unknown-person' | 'not-verified' }> {
  const { clock, ids, store } = dependencies;
  const people = store.people!;
  const { issuer, subject, name, email, isEmailVerified } = provided;
  const known = await people.findPerson(issuer, subject);
  const verified = isEmailVerified ? email : '';
  const person = known ?? { id: ids.next(), name, email: verified, issuer, subject, timeCreated: clock.now() };
  const invited = verified === '' ? [] : await people.listInvitations({ email: verified });
  let newest: Member | null = null;
  for (const invitation of invited.filter(({ expires }) => expires > clock.now())) {
    // of two log-ins at once, each invitation is taken by one
    newest = (await takeInvitation(dependencies, invitation, person, null).catch(nullIfTaken)) ?? newest;
  }
  const joined = await people.findPerson(issuer, subject);
  if (joined === null) return { refusal: email !== '' && !isEmailVerified ? 'not-verified' : 'unknown-person' };
  const member = newest ?? (await seenLast(people, joined.id));
  // removed meanwhile
  if (member === null) return { refusal: 'unknown-person' };
  return { token: await createSession(dependencies, { membershipId: member.id, origin }) };
}

function nullIfTaken(error: unknown): null {
  if (error instanceof StoreError && ['not-found', 'already-exists'].includes(error.code)) return null;
  throw error;
}
