import { createSession } from '../../data-service/face/access.ts';
import type { DataServiceDependencies } from '../../data-service/face/hosts.ts';
import { openInvitationsTo, seenLast, takeInvitation } from '../../data-service/face/accounts.ts';
import { StoreError } from '../../data-service/face/stores.ts';
import type { ProvidedPerson } from './open-id-provider.ts';

/**
 * Logs in the person whom the provider has named: one who is known by it, as the membership in which they were seen last, or one who is
 * invited by an e-mail address that the provider has verified. A new person takes the oldest open invitation to that address. All others are
 * offered to whoever is logged in, to accept or decline: any organization may invite any address.
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
  const verified = isEmailVerified ? email : '';
  if ((await people.findPerson(issuer, subject)) === null) {
    const person = { id: ids.next(), name, email: verified, issuer, subject, timeCreated: clock.now() };
    const [oldest] = await openInvitationsTo(dependencies, verified);
    // where two log in at once, one of them takes the invitation
    if (oldest) await takeInvitation(dependencies, oldest, person, null).catch(ignoreTaken);
  }
  const joined = await people.findPerson(issuer, subject);
  if (joined === null) return { refusal: email !== '' && !isEmailVerified ? 'not-verified' : 'unknown-person' };
  const member = await seenLast(people, joined.id);
  // removed meanwhile
  if (member === null) return { refusal: 'unknown-person' };
  const of = { membershipId: member.id, origin, ...(verified !== '' && { verifiedEmail: verified }) };
  return { token: await createSession(dependencies, of) };
}

function ignoreTaken(error: unknown): void {
  if (!(error instanceof StoreError && ['not-found', 'already-exists'].includes(error.code))) throw error;
}
