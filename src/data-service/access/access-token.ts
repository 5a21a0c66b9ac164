import { base64url, jwtVerify, SignJWT } from 'jose';
import type { ApiKey } from '../ports/access-store.ts';
import type { Micros } from '../ports/stored-captures.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import { installationSecret } from './installation-secret.ts';

type TokenDependencies = Pick<DataServiceDependencies, 'store' | 'clock' | 'secrets' | 'limits'>;

const algorithm = 'HS256';
const issuer = 'sightglass';
const audience = 'sightglass-data-service';
const idBytes = 16;

/**
 * Issues a token for a key. It is valid until it has not been used for its lifetime, or the key is deleted or
 * replaced. It also names the organization, role, location and part of the key, for clients that know only the key: they switch off
 * what would be refused. The service does not trust that.
 */
export async function issueAccessToken(dependencies: TokenDependencies, key: ApiKey): Promise<string> {
  const { clock, secrets, limits } = dependencies;
  const now = clock.now();
  const { organizationId, locationId, partId, role } = key;
  const place = {
    ...(locationId !== null && { location_id: locationId }),
    ...(partId !== null && { part_id: partId }),
  };
  const reach = { organization_id: organizationId, role, ...place };
  return new SignJWT({ key: keyMark(key), ...reach })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(key.id)
    .setJti(base64url.encode(secrets.randomBytes(idBytes)))
    .setIssuedAt(new Date(now / 1000))
    .setExpirationTime(new Date(now / 1000 + limits.tokenLifeMs))
    .sign(await installationSecret(dependencies, 'access-tokens'));
}

/** A token that was accepted: its key, and a function to call when the call has ended. */
export interface TakenToken {
  readonly key: ApiKey;
  /** Renews the token. Never rejects: a store that cannot write is no reason to refuse a call. */
  readonly use: () => Promise<void>;
}

/**
 * Checks a token: `invalid` if it was not issued here, or its key is deleted or replaced; `expired` if it was
 * unused for too long; `early` if it was issued more than a lifetime in the future, by a clock that was ahead.
 * Clients such as the Viam SDKs for Python and TypeScript fetch a token once and never again, so using a token
 * renews it.
 */
export async function takeAccessToken(
  dependencies: TokenDependencies,
  sent: string,
): Promise<TakenToken | 'invalid' | 'expired' | 'early'> {
  const token = await verifiedToken(dependencies, sent);
  if (token === null) return 'invalid';
  const key = await dependencies.store.access.getKey(token.keyId);
  if (key === null || token.keyMark !== keyMark(key)) return 'invalid';
  // a clock that goes on by a life ends all tokens, and one that is set back by more ends those issued before
  if (token.issued >= dependencies.clock.now() + dependencies.limits.tokenLifeMs * 1000) return 'early';
  if (!(await isGood(dependencies, token))) return 'expired';
  const use = () => renew(dependencies, token);
  await use();
  return { key, use };
}

/** The unchanging content of a token, and its expiry; whether its key still exists is checked in every call. */
interface Token {
  readonly id: string;
  readonly keyId: string;
  readonly keyMark: unknown;
  readonly issued: Micros;
  until: Micros;
}

async function isGood({ store, clock }: TokenDependencies, token: Token): Promise<boolean> {
  if (clock.now() < token.until) return true;
  // another host may have renewed it, or this one before a restart
  token.until = Math.max(token.until, (await store.access.tokenRenewal(token.id)) ?? -Infinity);
  return clock.now() < token.until;
}

/** Fraction of a token's lifetime within which further calls do not write a renewal again. */
const renewedAfter = 1 / 12;

async function renew({ store, clock, limits }: TokenDependencies, token: Token): Promise<void> {
  const now = clock.now();
  const life = limits.tokenLifeMs * 1000;
  const [before, until] = [token.until, now + life];
  if (until - before < life * renewedAfter) return;
  token.until = until;
  try {
    await store.access.renewToken(token.id, until, now);
  } catch {
    token.until = before; // the next call tries again
  }
}

const keptTokens = 1000;
// by the secret that signed them: tokens signed with another secret are invalid
const verified = new WeakMap<Uint8Array, Map<string, Token>>();

/**
 * A client sends its one token with every call, so its signature is verified only once; its expiry is checked every
 * time.
 */
async function verifiedToken(dependencies: TokenDependencies, sent: string): Promise<Token | null> {
  const signing = await installationSecret(dependencies, 'access-tokens');
  const known = verified.get(signing) ?? new Map<string, Token>();
  verified.set(signing, known);
  const token = known.get(sent) ?? (await checkedToken(signing, sent));
  if (token === null) return null;
  known.delete(sent);
  known.set(sent, token); // the map keeps the token used last at its end
  for (const oldest of known.keys()) {
    if (known.size <= keptTokens) break;
    known.delete(oldest);
  }
  return token;
}

async function checkedToken(signing: Uint8Array, sent: string): Promise<Token | null> {
  // The expiry inside the token does not count, since use renews it: any date after the epoch is accepted.
  const currentDate = new Date(0);
  try {
    const { payload } = await jwtVerify(sent, signing, { algorithms: [algorithm], issuer, audience, currentDate });
    // without an id it cannot be renewed, without a subject it is of no key, without an expiry it has expired
    const { jti = '', sub = '', key, iat = 0, exp = 0 } = payload;
    return jti === '' ? null : { id: jti, keyId: sub, keyMark: key, issued: iat * 1e6, until: exp * 1e6 };
  } catch {
    return null;
  }
}

// The salt is made anew with every secret, so a key that was given a new secret under its old id has another mark.
export const keyMark = (key: ApiKey): string => base64url.encode(key.secret.salt);
