import type { DialStep, LiveMachine } from '../live-machine/live-machine.ts';
import type { NewPeerConnection } from '../../platform/ports/peer-connection.ts';
import { openAnyMachine } from './any-machine-link.ts';
import type { MachineKey } from './machine-link.ts';
import { shareMachine } from './shared-machine.ts';

/**
 * Opens a client of a machine for the page. Workers have no `RTCPeerConnection`: they call a machine that the page reaches by WebRTC
 * by its `channel`.
 */
export function openPageMachine(url: string, key: MachineKey | null, onStep: (step: DialStep) => void): LiveMachine {
  const machine = openAnyMachine(url, key, pageConnections(), onStep);
  if (!url.startsWith('webrtc:')) return machine;
  const channel = `sightglass-machine-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
  const endSharing = shareMachine(machine, channel);
  return {
    ...machine,
    channel,
    close() {
      endSharing();
      machine.close();
    },
  };
}

/** null: this browser has no WebRTC */
export const pageConnections = (): NewPeerConnection | null =>
  typeof RTCPeerConnection === 'undefined' ? null : (configuration) => new RTCPeerConnection(configuration);
