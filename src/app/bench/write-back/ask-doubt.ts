import { listEntries } from '../../../machine/config/face/machine-config.ts';
import { isObject, parseDocument } from '../../../machine/config/face/json.ts';
import { doubtOfMachine, type ConfigurationOrigin, type Doubt } from '../../../remote/live-machine/doubt-of-machine.ts';
import { errorMessage } from '../../../machine/vision/face/errors.ts';
import type { LiveMachineState } from '../live-machine/live-machine-state.svelte.ts';

/** Time limit in ms, since a person waits to write. */
const patienceMs = 5_000;

/** A configuration that was read. */
export interface ReadConfig {
  /** the account's part that it was read from; null: from a file */
  readonly partId: string | null;
  readonly text: string;
}

/**
 * Asks the connected machine whether the configuration is its own; null: nothing suggests otherwise, or no machine
 * is connected.
 */
export async function askDoubt(machine: LiveMachineState, read: ReadConfig): Promise<Doubt | null> {
  const { machine: live, host } = machine;
  if (!live) return null;
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const [health, partId] = await Promise.all([live.health(signal), live.partId(signal)]);
    return doubtOfMachine(originOf(read), { host, partId, health });
  } catch (error) {
    const why = errorMessage(error);
    return { isCertain: false, words: `It is not known whether ${host} is the machine of this configuration: ${why}` };
  }
}

function originOf({ partId, text }: ReadConfig): ConfigurationOrigin {
  const document = parseDocument(text);
  const { value } = document;
  const bringsMore = (key: string): boolean => isObject(value) && Array.isArray(value[key]) && value[key].length > 0;
  return {
    partId,
    resources: listEntries(document).flatMap(({ name }) => (name === '' ? [] : [name])),
    isWhole: !bringsMore('fragments') && !bringsMore('remotes'),
  };
}
