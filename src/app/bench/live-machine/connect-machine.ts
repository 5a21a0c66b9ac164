import { firstToAnswer } from '../../../remote/live-machine/first-to-answer.ts';
import type { DialStep, LiveMachine, LiveResource } from '../../../remote/live-machine/live-machine.ts';
import { readPeerUrl, type AddressFault } from '../../../remote/live-machine/machine-address.ts';
import { unbuiltResources } from '../../../remote/live-machine/unbuilt-resources.ts';
import { machineUrls } from '../../../remote/live-machine/machine-urls.ts';
import { keyHolder, typedOrKept } from '../../../remote/outbox/target-keys.ts';
import type { LiveMachinePort, MachineKey } from './live-machine-port.ts';

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
 * Connects to the machine at the address by which it answers first. The connection closes when the signal aborts. Rejects with
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
  const tell = (step: DialStep): void => {
    if (!signal.aborted) onStep(step);
  };
  try {
    const open = (url: string): Promise<LiveMachine> => port.open(url, key, tell);
    const { url, machine, answer } = await firstToAnswer(found.urls, open, firstAnswers, signal);
    signal.addEventListener('abort', () => machine.close());
    return { url, key, machine, ...answer };
  } finally {
    onStep(null);
  }
}

async function firstAnswers(
  machine: LiveMachine,
  signal: AbortSignal,
): Promise<Pick<ConnectedMachine, 'version' | 'resources' | 'unbuilt'>> {
  const [{ version }, resources, unbuilt] = await Promise.all([
    machine.version(signal),
    machine.resources(signal),
    machine.health(signal).then(unbuiltResources, () => []), // an older one does not say
  ]);
  return { version, resources, unbuilt };
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
