import { linkMachine } from '../../live-machine/link-machine.ts';
import type { DialStep, LiveMachine } from '../../live-machine/live-machine.ts';
import { hostOf } from '../../live-machine/host-of.ts';
import { type PeerAddress } from '../../live-machine/machine-address.ts';
import { tokenFor } from '../../outbox/access-tokens.ts';
import { redacting } from '../../outbox/target-keys.ts';
import type { NewPeerConnection } from '../../../platform/ports/peer-connection.ts';
import { grpcWebTransport } from '../grpc-web-transport.ts';
import type { MachineKey } from '../machine-link.ts';
import { openPeer } from './open-peer.ts';

/**
 * Opens a client of a machine by WebRTC. The key is sent to the account service only: the machine trusts callers that the service
 * lets through.
 *
 * @param newConnection null: there is no WebRTC here, which the first call says
 * @param onStep called as an attempt to connect proceeds
 */
export function openPeerMachine(
  { host, via }: PeerAddress,
  key: MachineKey | null,
  newConnection: NewPeerConnection | null,
  onStep: (step: DialStep) => void = () => {},
): LiveMachine {
  const redact = key ? redacting(key.secret) : (message: string): string => message;
  const transport = grpcWebTransport(via);
  const authorize = key && tokenFor(() => transport, key.id, key.secret);
  const link = openPeer({
    signalling: { transport, authorize, host },
    newConnection,
    via: hostOf(via),
    redact,
    onStep,
    patienceMs: 20_000,
    askingPatienceMs: 4_000,
  });
  return linkMachine({ address: host, transport: link.transport, authorize: null, redact, connection: link });
}
