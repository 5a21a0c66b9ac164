import type { JsonObject } from '@bufbuild/protobuf';
import { createGrpcWebTransport } from '@connectrpc/connect-node';
import { openAnyMachine } from '../../src/remote/links/any-machine-link.ts';
import type { LiveMachine } from '../../src/remote/live-machine/live-machine.ts';
import { peerUrl } from '../../src/remote/live-machine/machine-address.ts';
import { loadPeerConnections } from '../../src/platform/node/peer-connection.ts';
import { accountKeyId, accountRoutes, type PretendedAccount } from '../account-fixture.ts';
import type { MachinePlace, MachineResources, RunningMachine } from '../oracle/machine.ts';
import { serveRoutes, type ServedRoutes } from '../serve-routes.ts';
import { signallingRoutes, type RelayedSignalling } from '../signalling-relay.ts';
import { visionMachine, type MachineParts } from './machine-resources.ts';
import { startLiveMachine } from './start-live-machine.ts';

export interface MachineInAccount {
  readonly machine: RunningMachine;
  readonly account: ServedRoutes;
  close(): Promise<void>;
}

/** The key that the account takes, with the id of `accountKeyId`. */
export const accountKey = 's3cret-key';

/** The name of the machine by which its account connects pages with it. */
export const accountHost = 'gate-main.abc123.example';

interface AccountOptions extends Partial<PretendedAccount>, Pick<RelayedSignalling, 'iceServers'> {
  /** in the account's list; default: accountHost */
  readonly fqdn?: string;
  /** where the machine runs; default: this computer */
  readonly place?: MachinePlace;
}

/** Serves an account with a real machine, which the account alone connects pages with. Part: "p1" of machine "Gate" in "Yard". */
export async function startMachineInAccount(
  parts: MachineParts,
  { place, ...account }: AccountOptions = {},
): Promise<MachineInAccount> {
  const machine = await startLiveMachine(parts, place);
  const served = await serveAccountOf(machine, visionMachine(parts), account);
  return { machine, account: served, close: async () => void (await Promise.all([served.close(), machine.close()])) };
}

/** Serves the account of a machine that runs with this configuration. */
export function serveAccountOf(
  machine: RunningMachine,
  config: MachineResources,
  { fqdn = accountHost, iceServers = [], ...account }: Omit<AccountOptions, 'place'> = {},
): Promise<ServedRoutes> {
  const part = {
    id: 'p1',
    name: 'gate-main',
    config: JSON.parse(JSON.stringify(config)) as JsonObject,
    fqdn,
    updatedAtMs: 5000,
  };
  const ownHost = new URL(machine.origin).host.replace('127.0.0.1', 'localhost'); // the host that it logs: Running internal signaling
  const signalling = { host: accountHost, token: `token of ${accountKey}`, ownHost, iceServers };
  return serveRoutes((router) => {
    accountRoutes({ parts: [part], ...account })(router);
    signallingRoutes(signalling, createGrpcWebTransport({ baseUrl: machine.origin, httpVersion: '1.1' }))(router);
  });
}

/** A client of the account's machine by WebRTC. It is to be closed. */
export async function openByWebRtc({ url }: Pick<ServedRoutes, 'url'>): Promise<LiveMachine> {
  const key = { id: accountKeyId, secret: accountKey };
  return openAnyMachine(peerOf(url), key, await loadPeerConnections(), () => {});
}

/** The address of the account's machine. */
export const peerOf = (accountUrl: string): string => peerUrl({ host: accountHost, via: accountUrl });
