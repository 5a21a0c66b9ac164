import { deleteDB, openDB } from 'idb';
import { expect, it } from 'vitest';
import { signCertificate } from '../../src/evidence/certificate/sign-certificate.ts';
import { signatureState } from '../../src/evidence/certificate/signature-state.ts';
import { openSigningKey } from '../../src/platform/browser/indexed-db/idb-signing-key.ts';
import { certificateOf } from '../certified.ts';

it('is one key a browser, also for two tabs at once, and cannot be read', async () => {
  const name = 'sightglass-signing-test';
  await deleteDB(name);
  const [one, other] = await Promise.all([openSigningKey(name), openSigningKey(name)]);
  const again = await openSigningKey(name);
  expect(other.publicKey).toEqual(one.publicKey);
  expect(again.publicKey).toEqual(one.publicKey);

  const signed = await signCertificate(certificateOf(), again);
  expect(await signatureState(signed, crypto.subtle)).toBe('valid');
  expect(await signatureState({ ...signed, confidence: 0.95 }, crypto.subtle)).toBe('broken');

  const database = await openDB(name);
  const { privateKey } = (await database.get('keys', 'own')) as CryptoKeyPair;
  database.close();
  await expect(crypto.subtle.exportKey('pkcs8', privateKey)).rejects.toThrow();
  await expect(crypto.subtle.exportKey('jwk', privateKey)).rejects.toThrow();
});
