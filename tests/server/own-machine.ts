import { Code, ConnectError } from '@connectrpc/connect';
import { loadPeerConnections } from '../../src/platform/node/peer-connection.ts';
import { accountRoutes, type PretendedAccount } from '../account-fixture.ts';
import { pretendedRoutes, type PretendedMachine } from '../live-machine-fixture.ts';
import { startPeerMachine, type PeerMachine } from '../peer-machine.ts';
import { serveRoutes, type ServedRoutes } from '../serve-routes.ts';
import { accountHost, accountKey } from './machine-in-account.ts';

export interface OwnMachine {
  readonly machine: PeerMachine;
  readonly account: ServedRoutes;
  close(): Promise<void>;
}

/**
 * Serves an account with a fake machine that is called by WebRTC, which anybody can: Node's end of the connection is werift's. Its name
 * is `accountHost`.
 */
export async function startOwnMachine(
  pretended: PretendedMachine,
  { key = accountKey, parts = [], ...account }: Partial<PretendedAccount> = {},
): Promise<OwnMachine> {
  const connections = await loadPeerConnections();
  if (!connections) throw new Error('werift is not installed: "npm ci" first.');
  const machine = startPeerMachine(connections, pretendedRoutes(pretended), {
    onCall(header) {
      if (header.get('authorization') !== `Bearer token of ${key}`)
        throw new ConnectError('invalid token', Code.Unauthenticated);
      if (header.get('rpc-host') !== accountHost)
        throw new ConnectError('host appears to be offline', Code.Unavailable);
    },
  });
  const served = await serveRoutes((router) => {
    accountRoutes({ key, parts, ...account })(router);
    machine.signallingRoutes(router);
  });
  return {
    machine,
    account: served,
    async close() {
      for (const { connection } of machine.ends) connection.close();
      await served.close();
    },
  };
}
