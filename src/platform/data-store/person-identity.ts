import type { Person } from '../../data-service/face/accounts.ts';

/** The key that no two people share: issuer and subject at a provider, or the person's id where no provider knows the person. */
export const identityOf = ({ id, issuer, subject }: Pick<Person, 'id' | 'issuer' | 'subject'>): string =>
  issuer === '' ? `person ${id}` : JSON.stringify([issuer, subject]);
