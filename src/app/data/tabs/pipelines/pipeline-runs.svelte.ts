import { DataPipelineRunStatus, type DataPipelineRun } from '../../../../gen/app/datapipelines/v1/data_pipelines_pb.ts';
import type { DataContext } from '../../context/data-context.ts';

const pageSize = 25;

/** The runs of one pipeline, newest first, read in pages. */
export class PipelineRuns {
  readonly #context: Pick<DataContext, 'pipelines'>;
  readonly #pipelineId: string;
  /** null until they are read */
  runs = $state.raw<readonly DataPipelineRun[] | null>(null);
  #next = $state('');

  constructor(context: Pick<DataContext, 'pipelines'>, pipelineId: string) {
    this.#context = context;
    this.#pipelineId = pipelineId;
  }

  get hasMore(): boolean {
    return this.#next !== '';
  }

  /**
   * Reads the newest page again. Older runs that are listed already stay, unless so many runs have been added that the
   * new page does not reach them: then the list starts again with this page.
   */
  async refresh(signal?: AbortSignal): Promise<void> {
    const { runs, nextPageToken } = await this.#page('', signal);
    const before = this.runs ?? [];
    const meets = before.findIndex(({ id }) => id === runs.at(-1)?.id);
    const older = meets < 0 ? [] : before.slice(meets + 1);
    if (older.length === 0) this.#next = nextPageToken;
    this.runs = [...runs, ...older];
  }

  /** Reads the next page of older runs. */
  async more(signal?: AbortSignal): Promise<void> {
    const { runs, nextPageToken } = await this.#page(this.#next, signal);
    const shown = this.runs ?? [];
    this.runs = [...shown, ...runs.filter(({ id }) => !shown.some((run) => run.id === id))];
    this.#next = nextPageToken;
  }

  #page(pageToken: string, signal: AbortSignal | undefined) {
    const request = { id: this.#pipelineId, pageSize, pageToken };
    return this.#context.pipelines.listDataPipelineRuns(request, signal && { signal });
  }
}

export const runStatusWords: Readonly<Record<DataPipelineRunStatus, string>> = {
  [DataPipelineRunStatus.UNSPECIFIED]: 'Unknown',
  [DataPipelineRunStatus.SCHEDULED]: 'Scheduled',
  [DataPipelineRunStatus.STARTED]: 'Running',
  [DataPipelineRunStatus.COMPLETED]: 'Completed',
  [DataPipelineRunStatus.FAILED]: 'Failed',
};
