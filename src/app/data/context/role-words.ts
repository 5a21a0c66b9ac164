import { isRole, type Role } from '../../../data-service/face/accounts.ts';

/** A role as a word in a sentence: "an operator". */
export const roleWords: Readonly<Record<Role, string>> = {
  annotator: 'an annotator',
  reviewer: 'a reviewer',
  operator: 'an operator',
  owner: 'an owner',
};

/** A role that the server names: one that this page does not know stays as it is. */
export const wordsOfRole = (role: string): string => (isRole(role) ? roleWords[role] : role);
