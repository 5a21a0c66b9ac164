import type { ModelSource } from '../../../src/ports/model-source.ts';
import type { VisionApi } from '../api.ts';
import type { BackendChoice, BenchPlan, ModelDescription } from '../protocol.ts';

/** What a worker that is started again is given: the models that were loaded, and the plan in force. */
export class Setup {
  readonly #models = new Map<string, { readonly source: ModelSource; readonly backend: BackendChoice }>();
  plan: BenchPlan | null = null;

  get hasModels(): boolean {
    return this.#models.size > 0;
  }

  /** A stored model is read from storage again: its file or its host may be gone by then. */
  addModel({ modelId, stored }: ModelDescription, source: ModelSource, backend: BackendChoice): void {
    this.#models.set(modelId, { source: stored ? { kind: 'stored', sha256: modelId } : source, backend });
  }

  removeModel(modelId: string): void {
    this.#models.delete(modelId);
  }

  removeModels(): void {
    this.#models.clear();
  }

  async restore(api: VisionApi): Promise<void> {
    for (const [modelId, { source, backend }] of this.#models) {
      const { signal } = new AbortController();
      await api
        .loadModel(source, backend, () => undefined, signal)
        .catch(() => {
          this.#models.delete(modelId);
        });
    }
    if (this.plan) await api.setPlan(this.plan);
  }
}
