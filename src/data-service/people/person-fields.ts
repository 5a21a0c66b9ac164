import { invalidArgument, requireText } from '../wire/invalid-argument.ts';

const longestName = 200;
/** Of an e-mail address, in characters (RFC 5321). */
const longestEmail = 254;

/**
 * Requires the name of a person, and trims it.
 * @param name as someone has typed it
 * @returns the name without spaces around it, 1 to 200 characters
 * @throws ConnectError InvalidArgument where it is empty or longer
 * @example
 * requireName(' Ada '); // => 'Ada'
 * requireName(' '); // throws: name is empty
 */
export function requireName(name: string): string {
  const trimmed = name.trim();
  requireText(trimmed, 'name');
  if (trimmed.length > longestName) {
    throw invalidArgument(`name has ${trimmed.length} characters; it may have at most ${longestName}.`);
  }
  return trimmed;
}

/**
 * Requires an e-mail address or none, and makes it such that equal addresses are equal texts.
 * @param email as someone has typed it; '': none
 * @returns the address without spaces around it, in lower case, at most 254 characters; '': none
 * @throws ConnectError InvalidArgument for a text that is no e-mail address
 * @example
 * requireEmail('Ada@Example.org'); // => 'ada@example.org'
 * requireEmail('ada'); // throws: email is "ada", which is no e-mail address.
 */
export function requireEmail(email: string): string {
  const address = email.trim().toLowerCase();
  if (address === '' || (address.length <= longestEmail && /^[^\s@]+@[^\s@]+$/.test(address))) return address;
  throw invalidArgument(`email is ${JSON.stringify(email)}, which is no e-mail address.`);
}
