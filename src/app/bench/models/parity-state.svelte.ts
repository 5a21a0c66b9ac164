import type { VisionClient } from '../../../../workers/vision/client/vision-client.ts';
import { parityWords } from './parity-words.ts';

/** The parity check of GPU and CPU: one at a time, and what the last one said of which model. */
export class ParityState {
  readonly #client: Pick<VisionClient, 'checkParity'>;
  #said = $state.raw<{ readonly modelId: string; readonly sentences: readonly string[] } | null>(null);
  #isChecking = $state.raw(false);

  constructor(client: Pick<VisionClient, 'checkParity'>) {
    this.#client = client;
  }

  get isChecking(): boolean {
    return this.#isChecking;
  }

  /** [] = that model was not checked since another one was */
  said(modelId: string): readonly string[] {
    return this.#said?.modelId === modelId ? this.#said.sentences : [];
  }

  /** Runs the frame of the stage both ways. Never rejects: what failed is what it says. */
  async check(modelId: string): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    this.#said = null;
    const sentences = await this.#client.checkParity().then(
      (parity) =>
        parity ? parityWords(parity) : ['No part of this frame runs on the GPU, so there is nothing to compare.'],
      (error: Error) => [`The check failed: ${error.message}`],
    );
    this.#said = { modelId, sentences };
    this.#isChecking = false;
  }
}
