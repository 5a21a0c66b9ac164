import type { DialStep, LiveMachine } from '../live-machine/live-machine.ts';
import { readPeerUrl } from '../live-machine/machine-address.ts';
import { openMachineLink, type MachineKey } from './machine-link.ts';
import { openPeerMachine } from './peer/peer-machine-link.ts';

/** Opens a client of a machine by HTTP or WebRTC, depending on its address. @param url without a slash at its end, or made by `peerUrl` */
export function openAnyMachine(url: string, key: MachineKey | null, onStep: (step: DialStep) => void): LiveMachine {
  const peer = readPeerUrl(url);
  return peer ? openPeerMachine(peer, key, onStep) : openMachineLink(url, key);
}
