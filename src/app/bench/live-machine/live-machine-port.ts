import type { LiveMachine } from '../../../live-machine/live-machine.ts';
import type { TargetKeys } from '../../../outbox/target-keys.ts';

export interface MachineKey {
  readonly id: string;
  readonly secret: string;
}

/** What asking a live machine needs of the page; fetched with the first connection. */
export interface LiveMachinePort {
  /** @param url without a slash at its end */
  open(url: string, key: MachineKey | null): Promise<LiveMachine>;
  /** Where keys are kept, if that is asked for: encrypted, as the outbox keeps its own. */
  keys(): Promise<TargetKeys>;
  /** of the page, which decides what it may call */
  readonly pageUrl: string;
}
