import type { DataContext } from '../../context/data-context.ts';
import { errorWords, type ErrorWords } from '../../../kit/words/error-words.ts';
import { readDocuments, type ReadDocuments } from '../../shared/documents/read-documents.ts';
import { readMql } from '../query/mql-text.ts';
import { sourceOfQuery } from '../query/query-state.svelte.ts';

export const mostSinkRows = 100;

/** The MQL query for the newest rows of a sink. */
export const newestRowsMql = `[\n  { "$sort": { "_viam_pipeline_run.interval.start": -1 } },\n  { "$limit": ${mostSinkRows} }\n]`;

/** The newest rows in the sink of a pipeline. */
export class SinkRows {
  readonly #context: Pick<DataContext, 'data' | 'home'>;
  /** null until they are read */
  kept = $state.raw<ReadDocuments | null>(null);
  failure = $state.raw<ErrorWords | null>(null);

  constructor(context: Pick<DataContext, 'data' | 'home'>) {
    this.#context = context;
  }

  /** Reads the rows. The previous rows stay until the new ones are read. */
  async read(pipelineId: string, signal: AbortSignal): Promise<void> {
    const { data, home } = this.#context;
    const request = {
      organizationId: home.organizationId,
      mqlBinary: readMql(newestRowsMql).stages,
      dataSource: sourceOfQuery({ kind: 'sink', pipelineId }),
    };
    try {
      const { rawData } = await data.tabularDataByMQL(request, { signal });
      this.kept = await readDocuments(rawData, signal);
      this.failure = null;
    } catch (error) {
      if (!signal.aborted) this.failure = errorWords(error);
    }
  }
}
