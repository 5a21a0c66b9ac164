import { Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import { AuthService } from '../gen/proto/rpc/v1/auth_pb.ts';

import { HttpRefusal } from './read-failure.ts';

/** Makes a call with the value of an `authorization` header. */
export type Authorize = <T>(signal: AbortSignal, call: (authorization: string) => Promise<T>) => Promise<T>;

/**
 * Gets a token for a key and keeps it in memory as long as it is accepted. One that is refused is fetched anew once: the
 * host may have been set up again.
 */
export function tokenFor(transport: () => Transport, keyId: string, key: string): Authorize {
  let token: string | null = null;

  async function authenticate(signal: AbortSignal): Promise<string> {
    const credentials = { type: 'api-key', payload: key };
    const client = createClient(AuthService, transport());
    token = (await client.authenticate({ entity: keyId, credentials }, { signal })).accessToken;
    return token;
  }

  return async (signal, call) => {
    const known = token;
    if (known !== null) {
      try {
        return await call(`Bearer ${known}`);
      } catch (error) {
        if (!isRefusedToken(error)) throw error;
        token = null;
      }
    }
    return call(`Bearer ${await authenticate(signal)}`);
  };
}

function isRefusedToken(error: unknown): boolean {
  const { code, cause } = ConnectError.from(error);
  return code === Code.Unauthenticated || (cause instanceof HttpRefusal && cause.status === 401);
}
