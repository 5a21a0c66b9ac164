import { Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import { AuthService } from '../../gen/proto/rpc/v1/auth_pb.ts';
import { unlessAborted } from '../../base/schedule/unless-aborted.ts';
import { HttpRefusal } from './read-failure.ts';

/** Time limit for a host's answer, ms. */
const patienceMs = 60_000;

/** Runs a call with the value of its `authorization` header; '': the call carries none. */
export type Authorize = <T>(signal: AbortSignal, call: (authorization: string) => Promise<T>) => Promise<T>;

/**
 * Gets a token for a key and keeps it in memory while the host accepts it. A refused token is fetched anew once,
 * for all calls that it was refused for: the host may have been set up again.
 */
export function tokenFor(transport: () => Transport, keyId: string, key: string): Authorize {
  let token: string | null = null;
  let fetching: Promise<string> | null = null;

  async function authenticate(): Promise<string> {
    const credentials = { type: 'api-key', payload: key };
    const client = createClient(AuthService, transport());
    const { accessToken } = await client.authenticate({ entity: keyId, credentials }, { timeoutMs: patienceMs });
    return (token = accessToken);
  }

  return async (signal, call) => {
    const known = token;
    if (known !== null) {
      try {
        return await call(`Bearer ${known}`);
      } catch (error) {
        if (!isRefusedToken(error)) throw error;
        if (token === known) token = null; // another call may have a new one already
      }
    }
    if (token === null) fetching ??= authenticate().finally(() => (fetching = null));
    // Other calls wait for the same token: aborting one of them does not abort the others.
    return call(`Bearer ${token ?? (await unlessAborted(fetching!, signal))}`);
  };
}

function isRefusedToken(error: unknown): boolean {
  const { code, cause } = ConnectError.from(error);
  return code === Code.Unauthenticated || (cause instanceof HttpRefusal && cause.status === 401);
}
