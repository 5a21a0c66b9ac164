import { Code, ConnectError } from '@connectrpc/connect';
import { authenticated, principalOfKey } from '../access/access-gate.ts';
import type { Principal } from '../ports/principal.ts';
import type { SessionToken } from '../access/sessions.ts';
import type { VerifyKey } from '../access/verify-key.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';

/**
 * Authenticates a request for a file, by its token, its headers `key_id` and `key`, or its session. It is separate from
 * `download`, which also runs on hosts without keys.
 * @param dependencies store, clock, cryptography and limits
 * @param header of the request
 * @param verify checks a key's secret
 * @param session of the person who asks, where the host knows that a page of its own makes the request
 * @returns who asks
 * @throws ConnectError Unauthenticated, and what `verify` throws
 * @example
 * const header = new Headers({ key_id: 'k', key: 'wrong' });
 * await authenticateDownload({}, header, async () => null); // throws: invalid credentials
 */
export async function authenticateDownload(
  dependencies: Pick<DataServiceDependencies, 'store' | 'clock' | 'secrets' | 'limits' | 'withoutToken'>,
  header: Headers,
  verify: (keyId: string, secret: string) => ReturnType<VerifyKey>,
  session: SessionToken | null = null,
): Promise<Principal> {
  const [keyId, secret] = [header.get('key_id'), header.get('key')];
  if (keyId === null || secret === null) {
    return (await authenticated(dependencies, header.get('authorization'), session)).principal;
  }
  const key = await verify(keyId, secret);
  if (key === null) throw new ConnectError('invalid credentials', Code.Unauthenticated);
  return principalOfKey(key);
}
