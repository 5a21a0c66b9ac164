import type { DatabaseUser } from '../ports/access-store.ts';
import type { Secrets } from '../ports/secrets.ts';

// RFC 7677 asks for at least 4,096; MongoDB itself uses 15,000.
const iterations = 15_000;
const saltBytes = 28;

/** What SCRAM-SHA-256 keeps of a password (RFC 5802, section 3): salt and keys, from which it cannot be told. */
export async function scramUser(secrets: Secrets, organizationId: string, password: string): Promise<DatabaseUser> {
  const salt = secrets.randomBytes(saltBytes);
  // SASLprep (RFC 4013), which drivers apply to what they send, is NFKC for all but a few characters.
  const saltedPassword = await secrets.derive(password.normalize('NFKC'), salt, iterations);
  const storedKey = await secrets.sha256(await secrets.sign(saltedPassword, 'Client Key'));
  const serverKey = await secrets.sign(saltedPassword, 'Server Key');
  return { organizationId, iterations, salt, storedKey, serverKey };
}
