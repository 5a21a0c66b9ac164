import type { Person } from '../../data-service/ports/people-store.ts';

/** By which a person is unique: who it is at a provider, or the person's own id, where no provider knows the person. */
export const identityOf = ({ id, issuer, subject }: Pick<Person, 'id' | 'issuer' | 'subject'>): string =>
  issuer === '' ? `person ${id}` : JSON.stringify([issuer, subject]);
