import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Passkey, PasskeyCeremonies, PasskeyCeremony } from '../../data-service/face/accounts.ts';

const rpName = 'Sightglass';
const timeoutMs = 5 * 60 * 1000;
/** ES256, EdDSA and RS256, in COSE: what authenticators have. */
const supportedAlgorithmIDs = [-7, -8, -257];

/**
 * Passkeys by WebAuthn. They are discoverable credentials, so that nobody types a name, and need user verification (a finger, a face or a
 * PIN), so that a passkey is two factors. No attestation is asked for.
 */
export const webAuthn: PasskeyCeremonies = {
  async registrationOptions({ rpId, challenge }, person, known) {
    const options = await generateRegistrationOptions({
      rpName,
      rpID: rpId,
      userName: person.name,
      userDisplayName: person.name,
      userID: new TextEncoder().encode(person.id),
      challenge: bytesOf(challenge),
      timeout: timeoutMs,
      attestationType: 'none',
      supportedAlgorithmIDs,
      excludeCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    return JSON.stringify(options);
  },

  verifyRegistration: (ceremony, responseJson) =>
    nullIfRefused(async () => {
      const response = parsed<RegistrationResponseJSON>(responseJson);
      const { registrationInfo } = await verifyRegistrationResponse({
        response,
        supportedAlgorithmIDs,
        ...expected(ceremony),
      });
      if (registrationInfo === undefined) return null;
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
      return { id, publicKey, counter, transports };
    }),

  async logInOptions({ rpId, challenge }) {
    const options = await generateAuthenticationOptions({
      rpID: rpId,
      challenge: bytesOf(challenge),
      timeout: timeoutMs,
      userVerification: 'required',
    });
    return JSON.stringify(options);
  },

  passkeyIdOf(responseJson) {
    try {
      const { id } = parsed<{ readonly id?: unknown }>(responseJson);
      return typeof id === 'string' ? id : null;
    } catch {
      return null;
    }
  },

  verifyLogIn: (ceremony, responseJson, passkey) =>
    nullIfRefused(async () => {
      const response = parsed<AuthenticationResponseJSON>(responseJson);
      if (!isOf(response, passkey)) return null;
      // the library would refuse a counter that went back before it looks at the signature
      const credential = {
        id: passkey.id,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: 0,
        transports: [...passkey.transports] as AuthenticatorTransport[],
      };
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response,
        credential,
        ...expected(ceremony),
      });
      return verified ? authenticationInfo.newCounter : null;
    }),
};

const expected = ({ rpId, origin, challenge }: PasskeyCeremony) => ({
  expectedRPID: rpId,
  expectedOrigin: origin,
  expectedChallenge: challenge,
  requireUserVerification: true,
});

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(base64url, 'base64url'));

/** @throws SyntaxError */
const parsed = <T>(json: string): T => {
  const value: unknown = JSON.parse(json);
  if (typeof value !== 'object' || value === null) throw new SyntaxError('no object');
  return value as T;
};

/** Whether a response says that it is by this passkey and its person (WebAuthn, section 7.2, step 6). */
function isOf({ id, response }: AuthenticationResponseJSON, passkey: Passkey): boolean {
  const { userHandle } = response;
  return (
    id === passkey.id &&
    (userHandle === undefined || Buffer.from(userHandle, 'base64url').toString() === passkey.personId)
  );
}

/** The library throws where a check fails. The client is not told which: it would help only an attacker. */
async function nullIfRefused<T>(verify: () => Promise<T | null>): Promise<T | null> {
  try {
    return await verify();
  } catch {
    return null;
  }
}
