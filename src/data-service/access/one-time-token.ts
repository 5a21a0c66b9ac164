import { base64url, errors, jwtVerify, SignJWT } from 'jose';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { installationSecret } from './installation-secret.ts';

type TokenDependencies = Pick<DataServiceDependencies, 'store' | 'clock' | 'secrets'>;

/** What a one-time token is for; a token for one is none for another. */
export type OneTimeUse = 'log-in' | 'passkey-log-in' | 'passkey-registration';

/** Why a one-time token is refused: it was not made here for this, its time is over, or it was used before. */
export type RefusedToken = 'invalid' | 'expired' | 'used';

const algorithm = 'HS256';
const issuer = 'sightglass';
const idBytes = 16;

const audienceOf = (use: OneTimeUse): string => `sightglass-${use}`;

/**
 * Makes a token that carries `content` from one step of a log-in to the next, over whichever hosts answer them. Its bearer
 * can read it and cannot change it.
 * @param dependencies store, clock and cryptography
 * @param use what it is for
 * @param content what it carries, which its bearer may know
 * @param lifeMs how long it is good
 * @returns the token, of characters that addresses and cookies take
 * @example
 * import { startDataService } from '../../../tests/data-service-fixture.ts';
 * const { dependencies } = await startDataService();
 * const token = await issueOneTimeToken(dependencies, 'log-in', { state: 's' }, 60_000);
 * await takeOneTimeToken(dependencies, 'log-in', token); // => { state: 's' }
 */
export async function issueOneTimeToken(
  dependencies: TokenDependencies,
  use: OneTimeUse,
  content: Readonly<Record<string, string>>,
  lifeMs: number,
): Promise<string> {
  const nowMs = dependencies.clock.now() / 1000;
  return new SignJWT({ content })
    .setProtectedHeader({ alg: algorithm })
    .setIssuer(issuer)
    .setAudience(audienceOf(use))
    .setJti(base64url.encode(dependencies.secrets.randomBytes(idBytes)))
    .setExpirationTime(new Date(nowMs + lifeMs))
    .sign(await installationSecret(dependencies, 'access-tokens'));
}

/**
 * Takes what a token carries, once over all hosts that share the store.
 * @param dependencies store, clock and cryptography
 * @param use for which it must have been made
 * @param token as its bearer shows it
 * @returns what it carries, or why it is refused
 * @example
 * import { startDataService } from '../../../tests/data-service-fixture.ts';
 * const { dependencies } = await startDataService();
 * await takeOneTimeToken(dependencies, 'log-in', 'nonsense'); // => 'invalid'
 */
export async function takeOneTimeToken(
  dependencies: TokenDependencies,
  use: OneTimeUse,
  token: string,
): Promise<Readonly<Record<string, string>> | RefusedToken> {
  const { store, clock } = dependencies;
  const now = clock.now();
  const signing = await installationSecret(dependencies, 'access-tokens');
  const checks = { algorithms: [algorithm], issuer, audience: audienceOf(use), currentDate: new Date(now / 1000) };
  try {
    const { payload } = await jwtVerify<{ content: Record<string, string> }>(token, signing, checks);
    const isFirst = await store.access.useOnce(`once:${payload.jti!}`, payload.exp! * 1_000_000, now);
    return isFirst ? payload.content : 'used';
  } catch (error) {
    if (error instanceof errors.JWTExpired) return 'expired';
    if (error instanceof errors.JOSEError) return 'invalid';
    throw error;
  }
}
