import type { FoundDifference } from '../../../../workers/backends/client.ts';
import { errorMessage } from '../../../machine/vision/face/errors.ts';
import { LatestRun } from '../../kit/runs/latest-run.svelte.ts';
import type { BackendsPort } from './backends-port.ts';
import type { Found } from './comparison-run.svelte.ts';

/** The search for the first node that differs, in one compared frame. Its progress counts the model's runs. */
export class NodeHunt extends LatestRun<number> {
  readonly #open: () => Promise<Pick<BackendsPort, 'findDifference'>>;
  #answer = $state.raw<{ readonly of: Found; readonly frameName: string; readonly found: FoundDifference } | null>(
    null,
  );

  constructor(open: () => Promise<Pick<BackendsPort, 'findDifference'>>) {
    super();
    this.#open = open;
  }

  /** The answer for a comparison; null: there is none for this one. */
  answerOf(of: Found) {
    return this.#answer?.of === of ? this.#answer : null;
  }

  /** @param at the frame; the one before it is run before it, to find what is left of that */
  async start(of: Found, at: number, names: { readonly reference: string; readonly other: string }): Promise<void> {
    this.#answer = null;
    await this.begin({
      first: 0,
      run: async (onRun, signal) => {
        const { pictures } = of.task;
        const earlier = pictures[at - 1] ?? pictures[at + 1];
        const task = { ...of.task, pictures: earlier ? [pictures[at]!, earlier] : [pictures[at]!] };
        const port = await this.#open();
        signal.throwIfAborted();
        return port.findDifference(task, names, onRun, signal);
      },
      take: (found) => (this.#answer = { of, frameName: of.task.pictures[at]!.name, found }),
      faultOf: (error) => `The node could not be looked for: ${errorMessage(error)}`,
    });
  }
}
