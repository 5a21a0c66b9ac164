import type { DataPipeline } from '../../../../gen/app/datapipelines/v1/data_pipelines_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { errorWords, type ErrorWords } from '../../../kit/words/error-words.ts';
import { listPipelines } from '../../shared/pipelines/list-pipelines.ts';

/** The organization's pipelines, sorted by name. */
export class PipelineList {
  readonly #context: Pick<DataContext, 'pipelines' | 'home' | 'report'>;
  /** null until they are read */
  pipelines = $state.raw<readonly DataPipeline[] | null>(null);
  /** Why the pipelines could not be read; null if nothing failed. */
  failure = $state.raw<ErrorWords | null>(null);

  constructor(context: Pick<DataContext, 'pipelines' | 'home' | 'report'>) {
    this.#context = context;
  }

  async read(signal?: AbortSignal): Promise<void> {
    this.failure = null;
    try {
      const listed = await listPipelines(this.#context, signal);
      this.pipelines = listed.toSorted((a, b) => a.name.localeCompare(b.name));
    } catch (error) {
      if (signal?.aborted) return;
      if (this.pipelines === null) this.failure = errorWords(error);
      else this.#context.report(error, 'The pipelines could not be listed.');
    }
  }
}
