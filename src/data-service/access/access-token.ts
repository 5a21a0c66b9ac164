import { base64url, jwtVerify, SignJWT } from 'jose';
import type { ApiKey } from '../ports/access-store.ts';
import type { DataServiceDependencies } from '../dependencies.ts';
import { installationSecret } from './installation-secret.ts';

type TokenDependencies = Pick<DataServiceDependencies, 'store' | 'clock' | 'secrets'>;

const algorithm = 'HS256';
const issuer = 'sightglass';
const audience = 'sightglass-data-service';
// Clients fetch a token once and never again (data-service reference, section 2): it lives as long as its key.
const lifeYears = 10;

/** A token that stands for the key until the key is deleted or replaced. */
export async function issueAccessToken(dependencies: TokenDependencies, key: ApiKey): Promise<string> {
  const now = new Date(dependencies.clock.now() / 1000);
  const expires = new Date(now);
  expires.setUTCFullYear(expires.getUTCFullYear() + lifeYears);
  return new SignJWT({ key: keyMark(key) })
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
  if (claims?.sub === undefined) return null;
  const key = await dependencies.store.access.getKey(claims.sub);
  return key !== null && claims['key'] === keyMark(key) ? key : null;
}

async function verifiedClaims(dependencies: TokenDependencies, token: string) {
  const signing = await installationSecret(dependencies, 'access-tokens');
  const currentDate = new Date(dependencies.clock.now() / 1000);
  try {
    const { payload } = await jwtVerify(token, signing, { algorithms: [algorithm], issuer, audience, currentDate });
    return payload;
  } catch {
    return null;
  }
}

// The salt is made anew with every secret, so a key that was given a new secret under its old id has another mark.
const keyMark = (key: ApiKey): string => base64url.encode(key.secret.salt);
