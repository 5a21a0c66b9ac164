import type { DataContext } from '../../context/data-context.ts';
import { columnsOf, type DocumentColumn, type ResultRow } from '../../shared/documents/document-columns.ts';
import { readDocuments } from '../../shared/documents/read-documents.ts';
import { readMql } from './mql-text.ts';
import type { DraftSource } from './query-draft.ts';
import { sourceOfQuery } from './query-state.svelte.ts';

const sampleSize = 100;
/** Samples the newest and the first rows: a column may have been added later, or be no longer measured. */
const samples = [`[{"$sort": {"time_requested": -1}}, {"$limit": ${sampleSize}}]`, `[{"$limit": ${sampleSize}}]`];

/** The columns of a source, found in a sample of its rows. Completion offers them. */
export class KnownColumns {
  readonly #context: Pick<DataContext, 'data' | 'home'>;
  columns = $state.raw<readonly DocumentColumn[]>([]);
  /** How many of the source's newest rows were read. */
  sampled: number = $state(0);
  /** Whether the sample holds every row of the source. */
  isWhole: boolean = $state(false);
  #settle!: () => void;
  /** Resolves once the first source was sampled, also if that failed. */
  readonly read = new Promise<void>((resolve) => (this.#settle = resolve));

  constructor(context: Pick<DataContext, 'data' | 'home'>) {
    this.#context = context;
  }

  /** Whether the source is known to have no rows at all. */
  get isEmpty(): boolean {
    return this.isWhole && this.sampled === 0;
  }

  /** Samples a source. If the service fails, no columns are known and nothing is reported: the query itself will fail with the reason. */
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
