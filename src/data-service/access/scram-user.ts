import type { DatabaseUser } from '../ports/access-store.ts';
import type { Secrets } from '../ports/secrets.ts';

// RFC 7677 asks for at least 4,096; MongoDB itself uses 15,000.
export const scramIterations = 15_000;
export const scramSaltBytes = 28;

/**
 * What SCRAM-SHA-256 stores of a password (RFC 5802, section 3): a salt and keys from which it cannot be computed.
 */
export async function scramUser(secrets: Secrets, organizationId: string, password: string): Promise<DatabaseUser> {
  const salt = secrets.randomBytes(scramSaltBytes);
  const saltedPassword = await secrets.derive(saslPrep(password), salt, scramIterations);
  const storedKey = await secrets.sha256(await secrets.sign(saltedPassword, 'Client Key'));
  const serverKey = await secrets.sign(saltedPassword, 'Server Key');
  return { organizationId, iterations: scramIterations, salt, storedKey, serverKey };
}

// RFC 3454, table C.1.2
const spaces = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/g;
// RFC 3454, table B.1: soft hyphens, joiners, variation selectors
const mappedToNothing = /\u00ad|\u034f|\u1806|[\u180b-\u180d]|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|\ufeff/g;

/** SASLprep (RFC 4013), which drivers apply to passwords, without its prohibitions: drivers check those. */
const saslPrep = (password: string): string =>
  password.replace(spaces, ' ').replace(mappedToNothing, '').normalize('NFKC');
