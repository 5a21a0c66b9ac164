import type { DialStep, LiveMachine } from '../live-machine/live-machine.ts';
import { readPeerUrl } from '../live-machine/machine-address.ts';
import type { NewPeerConnection } from '../../platform/ports/peer-connection.ts';
import { openMachineLink, type MachineKey } from './machine-link.ts';
import { openPeerMachine } from './peer/peer-machine-link.ts';

/** Opens a client of a machine by HTTP or WebRTC, depending on its address. @param url without a slash at its end, or made by `peerUrl` */
export function openAnyMachine(
  url: string,
  key: MachineKey | null,
  newConnection: NewPeerConnection | null,
  onStep: (step: DialStep) => void,
): LiveMachine {
  const peer = readPeerUrl(url);
  return peer ? openPeerMachine(peer, key, newConnection, onStep) : openMachineLink(url, key);
}
