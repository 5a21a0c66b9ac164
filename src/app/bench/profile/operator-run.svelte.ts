import type { ModelProfile } from '../../../../workers/model-profile/client.ts';
import type { ModelDescription } from '../../../../workers/vision/protocol.ts';
import type { Backend } from '../../../platform/ports/inference-runtime.ts';
import type { ModelSource } from '../../../platform/ports/model-source.ts';
import { errorMessage } from '../../../machine/vision/face/errors.ts';
import { LatestRun } from '../../kit/runs/latest-run.svelte.ts';
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

/** Measures the time of a model's operators on request, separate from the live loop. Its progress is 0..1. */
class OperatorRun extends LatestRun<number> {
  readonly #ports: OperatorPorts;
  #found = $state.raw<ModelProfile | null>(null);
  #ofModel = $state.raw<ModelDescription | null>(null);

  constructor(ports: OperatorPorts) {
    super();
    this.#ports = ports;
  }

  /** The last result for this model on its present backend; null: none yet. */
  foundOf(model: ModelDescription | null): ModelProfile | null {
    return isSameRun(model, this.#ofModel) ? this.#found : null;
  }

  /** Runs the model on the frame of the stage; cancels a run that is under way. */
  async start({ model, source, backend }: ProfiledModel): Promise<void> {
    await this.begin({
      first: 0,
      run: async (tell, cancelled) => {
        const tooLong = new AbortController();
        const signal = AbortSignal.any([cancelled, tooLong.signal]);
        const limit = setTimeout(() => tooLong.abort(new Error(tooSlow(backend))), limitMs);
        try {
          const feeds = await this.#ports.modelFeeds();
          if (!feeds) throw new Error('There is no frame that the model can be run on.');
          return await this.#ports.profileModel({ source, backend, feeds, runs, budgetMs }, tell, signal);
        } finally {
          clearTimeout(limit);
        }
      },
      take: (found) => {
        this.#found = found;
        this.#ofModel = model;
      },
      faultOf: (error) => `The model could not be profiled: ${errorMessage(error)}`,
    });
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
