import { awaitConfiguration } from '../../live-machine/await-configuration.ts';
import { verdictOf } from '../../live-machine/difference-words.ts';
import type { LiveMachineState } from '../live-machine/live-machine-state.svelte.ts';
import type { ProofState } from '../live-machine/proof-state.svelte.ts';
import { waitFor } from '../view/wait-for.ts';
import type { HearMachine } from './write-back-state.svelte.ts';

const framesProven = 10;

export interface WatchPlace {
  readonly machine: LiveMachineState;
  readonly proof: ProofState;
  /** shows the machine's frames again */
  readonly resume: () => Promise<void>;
}

/**
 * Remembers how the connected machine is before it gets a configuration; what comes back hears whether it took it, and proves
 * it on a few frames where a vision service is chosen. Null: none is connected, or it would build nothing anew.
 */
export async function watchMachine(
  { machine, proof, resume }: WatchPlace,
  resources: readonly string[],
): Promise<HearMachine | null> {
  const live = machine.machine;
  if (!live || resources.length === 0) return null;
  const before = await live.health(new AbortController().signal);
  return async (signal) => {
    const nowMs = () => performance.now();
    const word = await awaitConfiguration(live, { before, resources, signal, wait: waitFor, nowMs });
    if (!word.isWell || machine.visionName === '') return word;
    const wasFollowing = machine.isFollowing;
    const proven = await proof.prove(framesProven, signal);
    if (wasFollowing && !signal.aborted) await resume();
    return { isWell: proven.counts.differs === 0, words: `${word.words} ${verdictOf(proven)}` };
  };
}
