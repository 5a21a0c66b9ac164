import type { DataStore } from '../ports/data-store.ts';
import type { PeopleStore } from '../ports/people-store.ts';
import { failedPrecondition } from '../wire/invalid-argument.ts';

/**
 * The people of a store.
 * @param store of a host
 * @returns its people
 * @throws ConnectError FailedPrecondition: it has none, as in a browser
 * @example
 * requirePeople({ people: null }); // throws: This browser keeps the data of one person; people and their roles need a Sightglass server.
 */
export function requirePeople({ people }: Pick<DataStore, 'people'>): PeopleStore {
  if (people !== null) return people;
  throw failedPrecondition(
    'This browser keeps the data of one person; people and their roles need a Sightglass server.',
  );
}
