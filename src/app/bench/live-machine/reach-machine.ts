import { LinkError } from '../../../live-machine/link-error.ts';
import type { DialStep, LiveMachine, LiveResource } from '../../../live-machine/live-machine.ts';
import { readPeerUrl, type AddressFault } from '../../../live-machine/machine-address.ts';
import { unbuiltResources } from '../../../live-machine/unbuilt-resources.ts';
import { waysTo } from '../../../live-machine/ways-to.ts';
import { keyHolder, typedOrKept } from '../../../outbox/target-keys.ts';
import type { LiveMachinePort, MachineKey } from './live-machine-port.ts';

/** In its own network a machine answers at once; one in another network cannot. */
const firstWayMs = 1_500;

/** What a person typed of a machine. */
export interface TypedMachine {
  readonly address: string;
  readonly keyId: string;
  /** '': the kept one is taken */
  readonly key: string;
  readonly keepKey: boolean;
}

/** A machine that answered. */
export interface ReachedMachine {
  readonly url: string;
  readonly key: MachineKey | null;
  readonly machine: LiveMachine;
  readonly version: string;
  readonly resources: readonly LiveResource[];
  /** resources that it could not build, one sentence each */
  readonly unbuilt: readonly string[];
}

/**
 * Connects by the first way on which the machine answers; a way that is not the last one gets little time. Its connection ends when the
 * signal aborts. Rejects with LinkError.
 */
export async function reachMachine(
  typed: TypedMachine,
  port: LiveMachinePort,
  signal: AbortSignal,
  onStep: (step: DialStep | null) => void,
): Promise<ReachedMachine | AddressFault> {
  const ways = waysTo(typed.address, port.pageUrl);
  if ('message' in ways) return ways;
  const key = await keyFor(ways.urls.at(-1)!, typed, port);
  for (const [at, url] of ways.urls.entries()) {
    const isLast = at === ways.urls.length - 1;
    const machine = await port.open(url, key, (step) => {
      if (!signal.aborted) onStep(step);
    });
    signal.addEventListener('abort', () => machine.close());
    try {
      const patience = isLast ? signal : AbortSignal.any([signal, AbortSignal.timeout(firstWayMs)]);
      const { version } = await machine.version(patience);
      const [resources, unbuilt] = await Promise.all([
        machine.resources(signal),
        machine.health(signal).then(unbuiltResources, () => []), // an older one does not say
      ]);
      return { url, key, machine, version, resources, unbuilt };
    } catch (error) {
      machine.close();
      if (isLast || signal.aborted || (error instanceof LinkError && error.code === 'wrong-key')) throw error;
    } finally {
      onStep(null);
    }
  }
  throw new Error('there is at least one way');
}

/**
 * The typed key, otherwise the stored one for this machine; null: it is asked without a key. By WebRTC the key opens the account service,
 * which is asked with it to write a configuration, too.
 */
async function keyFor(url: string, typed: TypedMachine, port: LiveMachinePort): Promise<MachineKey | null> {
  const id = typed.keyId.trim();
  if (id === '') return null;
  const via = readPeerUrl(url)?.via;
  const holder = via === undefined ? keyHolder('machine', url, id) : keyHolder('account', via, id);
  const secret = await typedOrKept(await port.keys(), holder, typed.key, typed.keepKey);
  return secret === null ? null : { id, secret };
}
