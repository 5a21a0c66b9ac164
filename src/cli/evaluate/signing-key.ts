import { fingerprintOf } from '../../evidence/certificate/signature-state.ts';
import { createKeyFile, openKeyFile } from '../../platform/node/key-file.ts';
import type { SigningKeyArguments } from './evaluate-records.ts';
import type { Terminal } from '../shared/run-frames.ts';

/**
 * Runs `sightglass signing-key`: makes a key that signs certificates, or names the one that is there.
 * @param command parsed arguments
 * @param terminal receives one object
 * @returns exit code 0
 * @throws KeyFileError, or the operating system's error
 * @example
 * await signingKey({ keyPath: 'missing/key.pem' }, { print() {}, say() {} }); // throws: missing
 */
export async function signingKey(
  { keyPath }: Pick<SigningKeyArguments, 'keyPath'>,
  { print, say }: Terminal,
): Promise<number> {
  const created = await createKeyFile(keyPath);
  const publicKey = Buffer.from((await openKeyFile(keyPath)).publicKey).toString('hex');
  const fingerprint = fingerprintOf({ publicKey });
  print({ key: keyPath, created, publicKey, fingerprint });
  say(`${created ? 'The key was made' : 'The key was there'}. Tell its fingerprint to those who check, by another way than the certificate.`);
  return 0;
} // prettier-ignore
