import { openDB, type DBSchema } from 'idb';
import type { SigningKey } from '../../../evidence/certificate/sign-certificate.ts';

interface Keys extends DBSchema {
  keys: { key: string; value: CryptoKeyPair };
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const only = 'own';

/**
 * The key of this browser, made with its first use. Scripts of the page can sign with it and cannot read it. Rejects where the
 * browser stores nothing: a key that is gone tomorrow would sign what nobody can recognise.
 */
export async function openSigningKey(name = 'sightglass-signing'): Promise<SigningKey> {
  const database = await openDB<Keys>(name, 1, {
    upgrade: (opened) => void opened.createObjectStore('keys'),
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  });
  try {
    const made = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
    // Another tab may have made one meanwhile: the first stays.
    const transaction = database.transaction('keys', 'readwrite');
    const kept = await transaction.store.get(only);
    if (!kept) await transaction.store.put(made, only);
    await transaction.done;
    const { privateKey, publicKey } = kept ?? made;
    return {
      publicKey: new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)),
      sign: async (bytes) => new Uint8Array(await crypto.subtle.sign(algorithm, privateKey, bytes)),
    };
  } finally {
    database.close();
  }
}
