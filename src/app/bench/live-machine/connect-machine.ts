import { LinkError } from '../../../remote/live-machine/link-error.ts';
import type { DialStep, LiveMachine, LiveResource } from '../../../remote/live-machine/live-machine.ts';
import { readPeerUrl, type AddressFault } from '../../../remote/live-machine/machine-address.ts';
import { unbuiltResources } from '../../../remote/live-machine/unbuilt-resources.ts';
import { machineUrls } from '../../../remote/live-machine/machine-urls.ts';
import { keyHolder, typedOrKept } from '../../../remote/outbox/target-keys.ts';
import type { LiveMachinePort, MachineKey } from './live-machine-port.ts';

/** Time limit for an address that is not the last one: a machine in the local network answers within it. */
const localPatienceMs = 1_500;

/** The fields of the form. */
export interface TypedMachine {
  readonly address: string;
  readonly keyId: string;
  /** '': use the stored one */
  readonly key: string;
  readonly keepKey: boolean;
}

/** A machine that answers, and what it said first. */
export interface ConnectedMachine {
  readonly url: string;
  readonly key: MachineKey | null;
  readonly machine: LiveMachine;
  readonly version: string;
  readonly resources: readonly LiveResource[];
  /** resources that it could not build, one sentence each */
  readonly unbuilt: readonly string[];
}

/**
 * Connects to the first of its addresses at which the machine answers. The connection closes when the signal aborts. Rejects with
 * LinkError.
 */
export async function connectMachine(
  typed: TypedMachine,
  port: LiveMachinePort,
  signal: AbortSignal,
  onStep: (step: DialStep | null) => void,
): Promise<ConnectedMachine | AddressFault> {
  const found = machineUrls(typed.address, port.pageUrl);
  if ('message' in found) return found;
  const key = await keyFor(found.urls.at(-1)!, typed, port);
  for (const [at, url] of found.urls.entries()) {
    const isLast = at === found.urls.length - 1;
    const machine = await port.open(url, key, (step) => {
      if (!signal.aborted) onStep(step);
    });
    signal.addEventListener('abort', () => machine.close());
    try {
      const patience = isLast ? signal : AbortSignal.any([signal, AbortSignal.timeout(localPatienceMs)]);
      const [{ version }, resources, unbuilt] = await Promise.all([
        machine.version(patience),
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
  throw new Error('machineUrls gives at least one');
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
