import type { ModelProfile } from '../../../../workers/model-profile/client.ts';
import type { ModelDescription } from '../../../../workers/vision/protocol.ts';
import type { Backend } from '../../../platform/ports/inference-runtime.ts';
import type { ModelSource } from '../../../platform/ports/model-source.ts';
import { memoizeByObject } from '../../../base/schedule/memoize-by-object.ts';
import { isSameRun, type OperatorPorts } from './profile-state.svelte.ts';

interface ProfiledModel {
  readonly model: ModelDescription;
  readonly source: ModelSource;
  /** the backend that the model runs on */
  readonly backend: Backend;
}

const runs = 20;
/** A person waits this long, ms. */
const budgetMs = 15_000;
/** At least three runs are made, and a model may load slowly: after this time in ms the profile is given up. */
const limitMs = 60_000;

/** Measures the time of a model's operators on request, separate from the live loop. */
class OperatorRun {
  readonly #ports: OperatorPorts;
  /** 0..1 while the model runs; null: it does not */
  progress = $state.raw<number | null>(null);
  #found = $state.raw<ModelProfile | null>(null);
  #ofModel = $state.raw<ModelDescription | null>(null);
  /** Why there is no result. */
  fault: string = $state.raw('');
  #abort: AbortController | null = null;

  constructor(ports: OperatorPorts) {
    this.#ports = ports;
  }

  /** The last result for this model on its present backend; null: none yet. */
  foundOf(model: ModelDescription | null): ModelProfile | null {
    return isSameRun(model, this.#ofModel) ? this.#found : null;
  }

  /** Runs the model on the frame of the stage; cancels a run that is under way. */
  async start({ model, source, backend }: ProfiledModel): Promise<void> {
    this.cancel();
    const abort = new AbortController();
    this.#abort = abort;
    this.fault = '';
    this.progress = 0;
    const tell = (fraction: number): void => {
      if (this.#abort === abort) this.progress = fraction;
    };
    const limit = setTimeout(() => abort.abort(new Error(tooSlow(backend))), limitMs);
    try {
      const feeds = await this.#ports.modelFeeds();
      if (!feeds) throw new Error('There is no frame that the model can be run on.');
      const found = await this.#ports.profileModel({ source, backend, feeds, runs, budgetMs }, tell, abort.signal);
      if (this.#abort !== abort) return;
      this.#found = found;
      this.#ofModel = model;
    } catch (error) {
      if (this.#abort === abort) this.fault = `The model could not be profiled: ${(error as Error).message}`;
    } finally {
      clearTimeout(limit);
      if (this.#abort === abort) this.#end();
    }
  }

  /** Cancels the run and ends its worker. */
  cancel(): void {
    this.#abort?.abort(new Error('Profiling was cancelled.'));
    this.#end();
  }

  #end(): void {
    this.#abort = null;
    this.progress = null;
  }
}

/** The runs of a profile's model: their code comes with the dialog, and they outlive it. */
export const operatorsOf = memoizeByObject(
  (profile: { readonly ports: OperatorPorts }) => new OperatorRun(profile.ports),
);

function tooSlow(backend: Backend): string {
  const stopped = `It was not done after ${limitMs / 1000} seconds, and was stopped.`;
  return backend === 'webgpu'
    ? `${stopped} This GPU may be computed in software: choose WASM in the Model panel and profile it there.`
    : `${stopped} Stop the camera and close other tabs, or profile a smaller model.`;
}
