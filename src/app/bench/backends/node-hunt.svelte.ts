import type { FoundDifference } from '../../../../workers/backends/client.ts';
import { errorMessage } from '../../../machine/vision/errors/error-message.ts';
import type { BackendsPort } from './backends-port.ts';
import type { Found } from './comparison-run.svelte.ts';

/** The search for the first node that differs, in one compared frame. Whatever is late is dropped. */
export class NodeHunt {
  readonly #open: () => Promise<Pick<BackendsPort, 'findDifference'>>;
  /** the number of the run; null: nothing runs */
  run = $state.raw<number | null>(null);
  /** why there is no answer; '': there is, or nothing was asked */
  fault: string = $state.raw('');
  #answer = $state.raw<{ readonly of: Found; readonly frameName: string; readonly found: FoundDifference } | null>(
    null,
  );
  #abort: AbortController | null = null;

  constructor(open: () => Promise<Pick<BackendsPort, 'findDifference'>>) {
    this.#open = open;
  }

  /** The answer for a comparison; null: there is none for this one. */
  answerOf(of: Found) {
    return this.#answer?.of === of ? this.#answer : null;
  }

  /** @param at the frame; the one before it is run before it, to find what is left of that */
  async start(of: Found, at: number, names: { readonly reference: string; readonly other: string }): Promise<void> {
    this.cancel();
    const abort = new AbortController();
    this.#abort = abort;
    this.fault = '';
    this.#answer = null;
    this.run = 0;
    const onRun = (run: number): void => {
      if (this.#abort === abort) this.run = run;
    };
    try {
      const { pictures } = of.task;
      const picture = pictures[at]!;
      const earlier = pictures[at - 1] ?? pictures[at + 1];
      const task = { ...of.task, pictures: earlier ? [picture, earlier] : [picture] };
      const port = await this.#open();
      abort.signal.throwIfAborted();
      const found = await port.findDifference(task, names, onRun, abort.signal);
      if (this.#abort === abort) this.#answer = { of, frameName: picture.name, found };
    } catch (error) {
      if (this.#abort === abort) this.fault = `The node could not be looked for: ${errorMessage(error)}`;
    } finally {
      if (this.#abort === abort) this.#end();
    }
  }

  /** Cancels what is under way, and ends its worker. */
  cancel(): void {
    this.#abort?.abort(new Error('The search was cancelled.'));
    this.#end();
  }

  #end(): void {
    this.#abort = null;
    this.run = null;
  }
}
