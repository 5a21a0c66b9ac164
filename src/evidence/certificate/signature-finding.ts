import type { Certificate, CheckFinding } from './certificate.ts';
import { fingerprintOf, isSameFingerprint, type SignatureState } from './signature-state.ts';

/**
 * Says exactly what a certificate's signature proves and what it does not.
 *
 * @param certificate as it was read
 * @param state of `signatureState`
 * @param required fingerprint of the key that must have signed it; null: any key, or none
 * @returns the finding; a signature that does not fit, or is not of the required key, makes the certificate void
 * @example
 * signatureFinding({ signature: null }, 'none', null).says; // => 'unchecked'
 */
export function signatureFinding(
  certificate: Pick<Certificate, 'signature'>,
  state: SignatureState,
  required: string | null,
): CheckFinding {
  const { signature } = certificate;
  const about = 'signature';
  if (!signature)
    return {
      about,
      says: required === null ? 'unchecked' : 'differs',
      words: `It is not signed${required === null ? '' : ', and a signature is required'}: anybody may have written or changed it.`,
    };
  if (state === 'broken')
    return {
      about,
      says: 'differs',
      words: 'The signature does not fit: the statement or the signature was changed since it was signed.',
    };
  const fingerprint = fingerprintOf(signature);
  if (required !== null && !isSameFingerprint(required, fingerprint))
    return { about, says: 'differs', words: `It is signed with another key than the required one: ${fingerprint}.` };
  if (state === 'cannot')
    return {
      about,
      says: 'unchecked',
      words: `The signature of key ${fingerprint} was not checked: this page is not served over https, and so has no WebCrypto.`,
    };
  const who =
    required === null
      ? 'It does not prove who that is, unless you know this fingerprint by another way'
      : 'You required this key; that its holder is who you think is for you to know';
  return {
    about,
    says: 'holds',
    words: `The signature proves that the holder of key ${fingerprint} made this statement, and that it was not changed since. ${who}. It does not tell whether the key is one that can be copied, as a file can, and it does not prove that the evidence is true.`,
  };
}
