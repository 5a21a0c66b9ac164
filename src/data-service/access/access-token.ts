import { base64url, jwtVerify, SignJWT } from 'jose';
import type { ApiKey } from '../ports/access-store.ts';
import type { Micros } from '../ports/capture.ts';
import type { DataServiceDependencies } from '../dependencies.ts';
import { installationSecret } from './installation-secret.ts';

type TokenDependencies = Pick<DataServiceDependencies, 'store' | 'clock' | 'secrets'>;

const algorithm = 'HS256';
const issuer = 'sightglass';
const audience = 'sightglass-data-service';
// Clients such as `@viamrobotics/sdk` fetch a token once and never again: it lives as long as its key.
const lifeYears = 10;

/**
 * A token that stands for the key until the key is deleted or replaced. It also says whose key it is, for clients that
 * know no more than the key; nothing here trusts that.
 */
export async function issueAccessToken(dependencies: TokenDependencies, key: ApiKey): Promise<string> {
  const now = new Date(dependencies.clock.now() / 1000);
  const expires = new Date(now);
  expires.setUTCFullYear(expires.getUTCFullYear() + lifeYears);
  return new SignJWT({ key: keyMark(key), organization_id: key.organizationId })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(key.id)
    .setIssuedAt(now)
    .setExpirationTime(expires)
    .sign(await installationSecret(dependencies, 'access-tokens'));
}

/** The key that a token stands for, or null if the token is not ours, has expired, or its key is gone or replaced. */
export async function keyOfAccessToken(dependencies: TokenDependencies, token: string): Promise<ApiKey | null> {
  const claims = await verifiedClaims(dependencies, token);
  if (claims === null) return null;
  const key = await dependencies.store.access.getKey(claims.keyId);
  return key !== null && claims.keyMark === keyMark(key) ? key : null;
}

/** What a token says for good; whether its key is still there is asked with every call. */
interface Claims {
  readonly keyId: string;
  readonly keyMark: unknown;
  readonly expires: Micros;
}

const keptTokens = 1000;
// by the secret that signed them: what another one signed is void
const verified = new WeakMap<Uint8Array, Map<string, Claims>>();

/** A client sends its one token with every call, so its signature is checked once; the time always. */
async function verifiedClaims(dependencies: TokenDependencies, token: string): Promise<Claims | null> {
  const signing = await installationSecret(dependencies, 'access-tokens');
  const known = verified.get(signing) ?? new Map<string, Claims>();
  verified.set(signing, known);
  const claims = known.get(token) ?? (await checkedClaims(dependencies, signing, token));
  if (claims === null || claims.expires <= dependencies.clock.now()) return null;
  known.delete(token);
  known.set(token, claims); // as the one used last
  for (const oldest of known.keys()) {
    if (known.size <= keptTokens) break;
    known.delete(oldest);
  }
  return claims;
}

async function checkedClaims({ clock }: TokenDependencies, signing: Uint8Array, token: string): Promise<Claims | null> {
  const currentDate = new Date(clock.now() / 1000);
  try {
    const { payload } = await jwtVerify(token, signing, { algorithms: [algorithm], issuer, audience, currentDate });
    // without a subject it is of no key, without an expiry it has expired
    const { sub = '', key, exp = 0 } = payload;
    return { keyId: sub, keyMark: key, expires: exp * 1e6 };
  } catch {
    return null;
  }
}

// The salt is made anew with every secret, so a key that was given a new secret under its old id has another mark.
const keyMark = (key: ApiKey): string => base64url.encode(key.secret.salt);
