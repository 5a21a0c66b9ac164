import { profileOnnxModel } from '../../src/platform/browser/onnxruntime/onnxruntime-profile.ts';
import { summarizeRuns } from '../../src/models/profile/operator-times.ts';
import { readModelSource, type ModelSourceAccess } from '../vision/engine/read-model-source.ts';
import type { ModelProfile, ProfileTask } from './protocol.ts';

export type ModelProfileApi = ReturnType<typeof createModelProfileApi>;

/** Profiles one model in a worker that lives only for that, separate from the live loop. */
export function createModelProfileApi(access: Omit<ModelSourceAccess, 'documentBase'>) {
  return {
    /**
     * May be called once.
     * @throws ModelSourceError, InferenceError
     */
    async profile(
      { source, backend, feeds, runs, budgetMs }: ProfileTask,
      documentBase: string,
      onProgress: (fraction: number) => void,
    ): Promise<ModelProfile> {
      const { signal } = new AbortController();
      const { bytes } = await readModelSource(source, { ...access, documentBase }, () => undefined, signal);
      const profiled = await profileOnnxModel({ bytes, backend, feeds, runs, budgetMs }, onProgress);
      return { ...summarizeRuns(profiled.runs), backend, threads: profiled.threads, isIsolated: crossOriginIsolated };
    },
  };
}
