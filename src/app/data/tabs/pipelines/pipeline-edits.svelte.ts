import type { DataPipeline } from '../../../../gen/app/datapipelines/v1/data_pipelines_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { Attempts } from '../../../kit/edits/attempts.svelte.ts';

/** Renames, enables, disables and deletes an existing pipeline. `failure` is the error of the last action. */
export class PipelineEdits extends Attempts {
  readonly #context: Pick<DataContext, 'pipelines' | 'announce'>;

  constructor(context: Pick<DataContext, 'pipelines' | 'announce'>) {
    super();
    this.#context = context;
  }

  /** Resolves to whether the pipeline was renamed. An empty or unchanged name is not sent. */
  async rename({ id, name }: DataPipeline, typed: string): Promise<boolean> {
    const wanted = typed.trim();
    if (wanted === '' || wanted === name) return false;
    const { pipelines } = this.#context;
    return await this.#change(pipelines.renameDataPipeline({ id, name: wanted }), `Renamed to ${wanted}.`);
  }

  /** Enables or disables the pipeline; resolves to whether that worked. */
  async turn({ id, name }: DataPipeline, on: boolean): Promise<boolean> {
    const { enableDataPipeline, disableDataPipeline } = this.#context.pipelines;
    const turned = on ? enableDataPipeline({ id }) : disableDataPipeline({ id });
    return await this.#change(turned, `${name} is ${on ? 'on' : 'off'}.`);
  }

  /** Deletes the pipeline; resolves to whether that worked. */
  async delete({ id, name }: DataPipeline): Promise<boolean> {
    return await this.#change(this.#context.pipelines.deleteDataPipeline({ id }), `${name} deleted.`);
  }

  #change(change: Promise<unknown>, done: string): Promise<boolean> {
    return this.attempt(async () => {
      await change;
      this.#context.announce(done);
    });
  }
}
