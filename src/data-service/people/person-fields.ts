import { invalidArgument, requireText } from '../wire/invalid-argument.ts';

const longestName = 200;
/** Of an address of mail, RFC 5321. */
const longestEmail = 254;

/**
 * The name of a person, without spaces around it.
 * @param name as someone has typed it
 * @returns 1 to 200 characters
 * @throws ConnectError InvalidArgument
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
 * An address of mail, as it is compared: without spaces around it, in lower case.
 * @param email as someone has typed it; '': none
 * @returns the address, or ''
 * @throws ConnectError InvalidArgument for what is no address
 * @example
 * requireEmail('Ada@Example.org'); // => 'ada@example.org'
 * requireEmail('ada'); // throws: email is "ada", which is no address of mail.
 */
export function requireEmail(email: string): string {
  const address = email.trim().toLowerCase();
  if (address === '' || (address.length <= longestEmail && /^[^\s@]+@[^\s@]+$/.test(address))) return address;
  throw invalidArgument(`email is ${JSON.stringify(email)}, which is no address of mail.`);
}
