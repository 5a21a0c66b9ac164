import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import { lateState } from '../session/late-state.svelte.ts';
import { parityWords } from './parity-words.ts';

/** The comparison of GPU and CPU: one at a time, with the result for the last model. */
export class ParityState {
  readonly #client: Pick<VisionClient, 'checkParity'>;
  #said = $state.raw<{ readonly modelId: string; readonly sentences: readonly string[] } | null>(null);
  isChecking: boolean = $state.raw(false);

  constructor(client: Pick<VisionClient, 'checkParity'>) {
    this.#client = client;
  }

  /** []: the model was not checked since another one was */
  said(modelId: string): readonly string[] {
    return this.#said?.modelId === modelId ? this.#said.sentences : [];
  }

  /** Runs the frame of the stage on both. Never rejects: an error is its result. */
  async check(modelId: string): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    this.#said = null;
    const sentences = await this.#client.checkParity().then(
      (parity) =>
        parity ? parityWords(parity) : ['No part of this frame runs on the GPU, so there is nothing to compare.'],
      (error: Error) => [`The check failed: ${error.message}`],
    );
    this.#said = { modelId, sentences };
    this.isChecking = false;
  }
}

export const parityOf = lateState(({ vision }: { readonly vision: VisionClient }) => new ParityState(vision));
