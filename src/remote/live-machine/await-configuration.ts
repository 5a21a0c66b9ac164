import { LinkError, mayComeBack } from './link-error.ts';
import type { LiveMachine, MachineHealth, ResourceHealth } from './live-machine.ts';

/** What a machine makes of a configuration that was written for it. */
export interface ConfigurationWord {
  readonly isWell: boolean;
  readonly words: string;
}

export interface WaitOptions {
  /** the machine's health before the configuration was written */
  readonly before: MachineHealth;
  /** resources that were tuned: the machine builds them anew */
  readonly resources: readonly string[];
  readonly signal: AbortSignal;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly nowMs: () => number;
}

const betweenAsksMs = 500;
/** A machine reads its file again within some ten seconds; building a large model takes longer. */
const patienceMs = 60_000;

/**
 * Asks until every tuned resource is another than before, and either ready or in trouble. A machine that starts anew with it is
 * waited for. Rejects with LinkError.
 */
export async function awaitConfiguration(machine: LiveMachine, options: WaitOptions): Promise<ConfigurationWord> {
  const { before, resources, signal, wait, nowMs } = options;
  const startMs = nowMs();
  let isAway = false;
  while (nowMs() - startMs < patienceMs) {
    const now = await healthWhenBack(machine, signal);
    isAway = now === null;
    const tuned = (now?.resources ?? []).filter(({ name }) => resources.includes(name));
    if (tuned.length > 0 && tuned.every((resource) => isOther(resource, before)) && tuned.every(hasSettled)) {
      return wordOf(tuned);
    }
    await wait(betweenAsksMs, signal);
    signal.throwIfAborted();
  }
  const words = isAway
    ? `The machine has not answered for a while: see that it is on. It takes up what was written when it starts.`
    : `The machine shows no sign of the new configuration after ${patienceMs / 1000} s: see that this is where it takes its configuration from.`;
  return { isWell: false, words };
}

/** null = it does not answer at the moment */
async function healthWhenBack(machine: LiveMachine, signal: AbortSignal): Promise<MachineHealth | null> {
  try {
    return await machine.health(signal);
  } catch (error) {
    if (error instanceof LinkError && mayComeBack(error)) return null;
    throw error;
  }
}

function isOther({ name, api, updatedAtMs, revision }: ResourceHealth, before: MachineHealth): boolean {
  const was = before.resources.find((other) => other.name === name && other.api === api);
  return was === undefined || was.updatedAtMs !== updatedAtMs || was.revision !== revision;
}

const hasSettled = ({ isReady, error }: ResourceHealth): boolean => isReady || error !== '';

function wordOf(tuned: readonly ResourceHealth[]): ConfigurationWord {
  const ill = tuned.filter(({ error }) => error !== '');
  if (ill.length === 0) {
    const names = tuned.map(({ name }) => `“${name}”`).join(', ');
    return { isWell: true, words: `The machine has it: ${names} ${tuned.length === 1 ? 'is' : 'are'} ready.` };
  }
  return { isWell: false, words: ill.map(({ name, error }) => `“${name}”: ${error}`).join(' ') };
}
