import { invalidArgument, requireText } from '../wire/invalid-argument.ts';

const longestName = 200;
/**
 * Control characters, and those that take no room or turn the text around: they make one name look like another. Joiners (U+200C, U+200D)
 * stay where they change what is seen: in Persian and Indic names, and in emoji.
 */
const misleading =
  /[\p{Cc}\u202a-\u202e]|(?![\u200c\u200d])\p{Cf}|(?:^|[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}\p{Z}])[\u200c\u200d]/u;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;
/** Longest e-mail address, in characters (RFC 5321). */
const longestEmail = 254;

/**
 * Requires the name of a person that others can read, and trims it.
 * @param name as someone has typed it
 * @returns the name without spaces around it, 1 to 200 characters
 * @throws ConnectError InvalidArgument where it is empty or longer, shows nothing, or has characters that mislead
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
  if (!visible.test(trimmed)) throw invalidArgument('name has no character that can be seen; give one.');
  if (misleading.test(trimmed)) {
    throw invalidArgument(
      'name has control characters, or characters that cannot be seen or turn the text around; type it again.',
    );
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
 * requireEmail('ada'); // throws: email is "ada", which is not an e-mail address.
 */
export function requireEmail(email: string): string {
  const address = email.trim().toLowerCase();
  if (address === '' || (address.length <= longestEmail && /^[^\s@]+@[^\s@]+$/.test(address))) return address;
  throw invalidArgument(`email is ${JSON.stringify(email)}, which is not an e-mail address.`);
}
