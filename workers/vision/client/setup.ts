import type { AnyModelSource } from '../../../src/platform/ports/model-source.ts';
import type { WorkerLink } from '../../boundary/worker-link.ts';
import type { VisionApi } from '../api.ts';
import type { BackendChoice, BenchPlan, ModelDescription } from '../protocol.ts';

/** A loaded model that could not be restored with the worker. */
export interface LostModel {
  readonly modelId: string;
  readonly fileName: string;
}

interface SetModel extends LostModel {
  readonly source: AnyModelSource;
  readonly backend: BackendChoice;
}

/** What a restarted worker is given: the loaded models, and the plan in force. */
export class Setup {
  readonly #models = new Map<string, SetModel>();
  /** the model that is being restored */
  #suspect: SetModel | null = null;
  plan: BenchPlan | null = null;

  get hasModels(): boolean {
    return this.#models.size > 0;
  }

  /** Records a loaded model. A stored model is restored from storage: its file or its host may be gone by then. */
  addModel(model: ModelDescription, source: AnyModelSource, choice: BackendChoice): void {
    const { modelId, fileName, stored, gpuRefusal } = model;
    const restoredFrom: AnyModelSource = stored ? { kind: 'stored', sha256: modelId } : source;
    const backend = gpuRefusal === '' ? choice : 'wasm'; // a GPU that refused it is not asked again on the way back
    this.#models.set(modelId, { modelId, fileName, source: restoredFrom, backend });
  }

  removeModel(modelId: string): void {
    this.#models.delete(modelId);
  }

  removeModels(): readonly LostModel[] {
    const lost = [...this.#models.values()];
    this.#models.clear();
    return lost;
  }

  /**
   * The worker died while it restored a model: removes that model, so that it is not tried again. null: no model
   * was being restored.
   */
  removeSuspect(): LostModel | null {
    const suspect = this.#suspect;
    this.#suspect = null;
    if (suspect) this.removeModel(suspect.modelId);
    return suspect;
  }

  /**
   * Restores the models and the plan in a worker; stops when the worker ends. `onLost` is called for a model that
   * does not load.
   */
  async restore(link: WorkerLink<VisionApi>, onLost: (model: LostModel) => void): Promise<void> {
    for (const model of [...this.#models.values()]) {
      const { signal } = new AbortController();
      this.#suspect = model;
      const isBack = await link.api
        .loadModel(model.source, model.backend, () => undefined, signal)
        .then(
          () => true,
          () => false,
        );
      if (link.isOver) return;
      this.#suspect = null;
      if (isBack) continue;
      this.removeModel(model.modelId);
      onLost(model);
    }
    if (this.plan) await link.api.setPlan(this.plan);
  }
}
