import type { DataPipeline } from '../../../../gen/app/datapipelines/v1/data_pipelines_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { errorWords, type ErrorWords } from '../../../kit/words/error-words.ts';

/** Renames, enables, disables and deletes an existing pipeline. `failure` is the error of the last action. */
export class PipelineEdits {
  readonly #context: Pick<DataContext, 'pipelines' | 'announce'>;
  failure = $state.raw<ErrorWords | null>(null);

  constructor(context: Pick<DataContext, 'pipelines' | 'announce'>) {
    this.#context = context;
  }

  dismiss(): void {
    this.failure = null;
  }

  /** Resolves to whether the pipeline was renamed. An empty or unchanged name is not sent. */
  async rename({ id, name }: DataPipeline, typed: string): Promise<boolean> {
    const wanted = typed.trim();
    if (wanted === '' || wanted === name) return false;
    const { pipelines } = this.#context;
    return await this.#attempt(pipelines.renameDataPipeline({ id, name: wanted }), `Renamed to ${wanted}.`);
  }

  /** Enables or disables the pipeline; resolves to whether that worked. */
  async turn({ id, name }: DataPipeline, on: boolean): Promise<boolean> {
    const { enableDataPipeline, disableDataPipeline } = this.#context.pipelines;
    const turned = on ? enableDataPipeline({ id }) : disableDataPipeline({ id });
    return await this.#attempt(turned, `${name} is ${on ? 'on' : 'off'}.`);
  }

  /** Deletes the pipeline; resolves to whether that worked. */
  async delete({ id, name }: DataPipeline): Promise<boolean> {
    return await this.#attempt(this.#context.pipelines.deleteDataPipeline({ id }), `${name} deleted.`);
  }

  async #attempt(change: Promise<unknown>, done: string): Promise<boolean> {
    this.failure = null;
    try {
      await change;
      this.#context.announce(done);
      return true;
    } catch (error) {
      this.failure = errorWords(error);
      return false;
    }
  }
}
