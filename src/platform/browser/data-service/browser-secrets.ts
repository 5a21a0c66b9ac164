import { timingSafeEqual, webCryptoSecrets } from '../../../data-service/face/access.ts';
import type { Secrets } from '../../../data-service/face/hosts.ts';

/**
 * The data service's cryptography in a browser. Pages on plain http have no crypto.subtle: there URLs are signed by a
 * script, slower and as right. Keys are not made or checked in a browser's own service, so their slow hashes have none.
 */
export function browserSecrets(): Secrets {
  const secrets = webCryptoSecrets(crypto);
  if (globalThis.crypto.subtle) return secrets;
  const sign: Secrets['sign'] = async (key, message) => {
    const [{ hmac }, { sha256 }] = await Promise.all([
      import('@noble/hashes/hmac.js'),
      import('@noble/hashes/sha2.js'),
    ]);
    return hmac(sha256, key, new TextEncoder().encode(message));
  };
  return {
    ...secrets,
    sign,
    verifySignature: async (key, message, signature) => timingSafeEqual(await sign(key, message), signature),
    sha256: async (bytes) => (await import('@noble/hashes/sha2.js')).sha256(bytes),
  };
}
