import type { DataContext } from '../../context/data-context.ts';
import { columnsOf, type DocumentColumn, type ResultRow } from '../../shared/documents/document-columns.ts';
import { readDocuments } from '../../shared/documents/read-documents.ts';
import { readMql } from './mql-text.ts';
import type { DraftSource } from './query-draft.ts';
import { sourceOfQuery } from './query-state.svelte.ts';

const sampleSize = 100;
/** The newest rows and the first ones: what came to be measured later, and what has stopped. */
const samples = [`[{"$sort": {"time_requested": -1}}, {"$limit": ${sampleSize}}]`, `[{"$limit": ${sampleSize}}]`];

/** The columns that rows of a source have, read from some of them; for completion. */
export class KnownColumns {
  readonly #context: Pick<DataContext, 'data' | 'home'>;
  columns = $state.raw<readonly DocumentColumn[]>([]);
  /** Rows that were looked at, of the source's newest. */
  sampled: number = $state(0);
  /** Whether every row of the source was looked at. */
  isWhole: boolean = $state(false);
  #settle!: () => void;
  /** Resolves once the first source was sampled, whatever became of it. */
  readonly read = new Promise<void>((resolve) => (this.#settle = resolve));

  constructor(context: Pick<DataContext, 'data' | 'home'>) {
    this.#context = context;
  }

  /** Whether the source is known to have no rows at all. */
  get isEmpty(): boolean {
    return this.isWhole && this.sampled === 0;
  }

  /** Samples a source. Without an answer the columns stay unknown: the query itself will say why. */
  async sample(source: DraftSource, signal: AbortSignal): Promise<void> {
    const { data, home } = this.#context;
    const rows: ResultRow[] = [];
    let sampled: number | null = null;
    for (const text of samples) {
      const request = {
        organizationId: home.organizationId,
        mqlBinary: readMql(text).stages,
        dataSource: sourceOfQuery(source),
      };
      try {
        const sample = await readDocuments((await data.tabularDataByMQL(request, { signal })).rawData, signal);
        rows.push(...sample.rows);
        sampled ??= sample.rows.length;
      } catch {
        if (signal.aborted) return;
      }
    }
    this.columns = columnsOf(rows);
    this.sampled = sampled ?? 0;
    this.isWhole = sampled !== null && sampled < sampleSize;
    this.#settle();
  }
}
