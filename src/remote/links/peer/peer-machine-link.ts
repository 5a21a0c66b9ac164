import { linkMachine } from '../../live-machine/link-machine.ts';
import type { DialStep, LiveMachine } from '../../live-machine/live-machine.ts';
import { hostOf } from '../../live-machine/host-of.ts';
import { type PeerAddress } from '../../live-machine/machine-address.ts';
import { tokenFor } from '../../outbox/access-tokens.ts';
import { redacting } from '../../outbox/target-keys.ts';
import { grpcWebTransport } from '../grpc-web-transport.ts';
import type { MachineKey } from '../machine-link.ts';
import { shareMachine } from '../shared-machine.ts';
import { openPeer } from './open-peer.ts';

/**
 * Opens a client of a machine by WebRTC. The key is sent to the account service only: the machine trusts callers that the service
 * lets through. For pages only: workers and Node have no `RTCPeerConnection`.
 *
 * @param onStep called as an attempt to connect proceeds
 */
export function openPeerMachine(
  { host, via }: PeerAddress,
  key: MachineKey | null,
  onStep: (step: DialStep) => void = () => {},
): LiveMachine {
  const redact = key ? redacting(key.secret) : (message: string): string => message;
  const transport = grpcWebTransport(via);
  const authorize = key && tokenFor(() => transport, key.id, key.secret);
  const link = openPeer({
    signalling: { transport, authorize, host },
    via: hostOf(via),
    redact,
    onStep,
    patienceMs: 20_000,
    askingPatienceMs: 4_000,
  });
  const channel = `sightglass-machine-${crypto.randomUUID()}`;
  let endSharing = (): void => {};
  const close = (): void => {
    endSharing();
    link.close();
  };
  const connection = { route: link.route, close, channel };
  const machine = linkMachine({ address: host, transport: link.transport, authorize: null, redact, connection });
  endSharing = shareMachine(machine, channel);
  return machine;
}
