import { awaitConfiguration } from '../../../remote/live-machine/await-configuration.ts';
import { verdictOf } from '../../../remote/live-machine/difference-words.ts';
import { errorMessage } from '../../../machine/vision/face/errors.ts';
import type { LiveMachineState } from '../live-machine/live-machine-state.svelte.ts';
import type { ProofState } from '../machine-check/proof-state.svelte.ts';
import { waitFor } from '../../../base/schedule/wait-for.ts';
import { askDoubt } from './ask-doubt.ts';
import type { ComingConfig, HearMachine } from './write-back-state.svelte.ts';

const framesProven = 10;
/** Time limit in ms, since a person waits to write: an unreachable machine is not asked afterwards either. */
const healthPatienceMs = 5_000;

export interface WatchDependencies {
  readonly machine: LiveMachineState;
  readonly proof: ProofState;
}

/**
 * Records the state of the connected machine before a write. The returned function finds out whether the machine
 * has taken the configuration, and compares a few frames if a vision service is selected. It also says if another
 * machine than the configuration's may be connected. null: none is connected, or it would rebuild nothing.
 */
export async function watchMachine(
  { machine, proof }: WatchDependencies,
  { resources, isOnBench, read }: ComingConfig,
): Promise<HearMachine | null> {
  const live = machine.machine;
  if (!live || resources.length === 0) return null;
  const before = await live.health(AbortSignal.timeout(healthPatienceMs));
  const doubt = await askDoubt(machine, read);
  if (doubt?.isCertain) {
    return async () => ({ isWell: false, words: `${doubt.words} It was not asked whether it has what was written.` });
  }
  return async (signal, say) => {
    const warning = doubt ? `${doubt.words} ` : '';
    say(`${warning}Waiting until ${machine.host} has it …`);
    const nowMs = () => performance.now();
    const { isWell, words } = await awaitConfiguration(live, { before, resources, signal, wait: waitFor, nowMs });
    const heard = warning + words;
    if (!isWell || machine.visionName === '' || !isOnBench) return { isWell: isWell && !doubt, words: heard };
    say(`${heard} Now it is proven on ${framesProven} frames …`);
    try {
      const proven = await proof.prove(framesProven, signal, ({ frames }) =>
        say(`${heard} Frame ${frames} of ${framesProven} is proven …`),
      );
      return { isWell: proven.counts.differs === 0 && !doubt, words: `${heard} ${verdictOf(proven)}` };
    } catch (error) {
      const why = errorMessage(error);
      return { isWell: false, words: `${heard} It was not proven on frames: ${why}` };
    }
  };
}
