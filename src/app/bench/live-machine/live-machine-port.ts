import type { DialStep, LiveMachine } from '../../../remote/live-machine/live-machine.ts';
import type { TargetKeys } from '../../../remote/outbox/target-keys.ts';

export interface MachineKey {
  readonly id: string;
  readonly secret: string;
}

/** What a connection to a live machine needs of the page; loaded with the first connection. */
export interface LiveMachinePort {
  /**
   * @param url without a slash at its end, or made by `peerUrl`
   * @param onStep called as an attempt to connect by WebRTC proceeds
   */
  open(url: string, key: MachineKey | null, onStep: (step: DialStep) => void): Promise<LiveMachine>;
  /** The encrypted key store, used if the person wants keys to be kept; the outbox uses it too. */
  keys(): Promise<TargetKeys>;
  /** URL of the page, which limits what it may call */
  readonly pageUrl: string;
}
