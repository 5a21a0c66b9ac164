import type { Member, PeopleStore } from '../ports/people-store.ts';

/**
 * Finds the member as which a person works who logs in: the one seen last.
 * @param people of the store
 * @param personId who logs in
 * @returns the member; null: the person is none any more
 * @example
 * const of = (timeSeen: number | null) => ({ id: `seen ${timeSeen}`, timeSeen });
 * const people = { listMembers: async () => [of(null), of(2), of(1)] };
 * (await seenLast(people, 'ada'))?.id; // => 'seen 2'
 */
export async function seenLast(people: Pick<PeopleStore, 'listMembers'>, personId: string): Promise<Member | null> {
  const members = await people.listMembers({ personId });
  return members.toSorted((one, other) => (other.timeSeen ?? 0) - (one.timeSeen ?? 0))[0] ?? null;
}
