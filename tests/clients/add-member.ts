import type { PeopleStore } from '../../src/data-service/ports/people-store.ts';
import { openPostgresAdministration } from '../../src/platform/node/postgres-data-store/open-postgres-data-store.ts';
import { openSqliteDataStore } from '../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { join, membershipOf, personOf } from '../contract/data-store/people.ts';

/** Makes someone an annotator, as an invitation that is taken does; resolves to the membership's id. */
async function addMember(people: PeopleStore, organizationId: string): Promise<string> {
  const person = personOf(crypto.randomUUID());
  const membership = membershipOf(person.id, { organizationId });
  await join(people, person, membership);
  return membership.id;
}

/** In the data folder of a running server. */
export async function addMemberInFolder(folder: string, organizationId: string): Promise<string> {
  const store = await openSqliteDataStore(folder, { now: () => Date.now() * 1000 });
  try {
    return await addMember(store.people, organizationId);
  } finally {
    await store.close();
  }
}

/** In the database of running hosts. */
export async function addMemberInDatabase(url: string, organizationId: string): Promise<string> {
  const store = await openPostgresAdministration(url);
  try {
    return await addMember(store.people, organizationId);
  } finally {
    await store.close();
  }
}
