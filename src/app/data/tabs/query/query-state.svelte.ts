import { counted } from '../../../kit/words/figures.ts';
import { untrack } from 'svelte';
import { TabularDataSourceType } from '../../../../gen/app/data/v1/data_pb.ts';
import { recall, remember, type MemoryPort } from '../../../kit/memory/remembered.ts';
import type { DataContext } from '../../context/data-context.ts';
import { readDocuments, type ReadDocuments } from '../../shared/documents/read-documents.ts';
import { readMql, type Span } from './mql-text.ts';
import { draftOfLink, linkOfDraft, readDraft, type QueryDraft, type DraftSource } from './query-draft.ts';
import { queryFailure, type QueryFailure } from './query-failure.ts';

export interface QueryResult extends ReadDocuments {
  readonly elapsedMs: number;
}

/** The state of the current or last run. */
export type QueryRun =
  | { readonly state: 'running'; readonly startedMs: number }
  /** `ofSql`: the SQL that was run; null if the query was MQL */
  | { readonly state: 'answered'; readonly result: QueryResult; readonly ofSql: string | null }
  /** `ofText`: the text that was run; `failure.span` is a range of it */
  | { readonly state: 'failed'; readonly failure: QueryFailure; readonly ofText: string }
  | { readonly state: 'cancelled' };

type QueryContext = Pick<DataContext, 'data' | 'home' | 'announce'>;

const memoryKey = 'query-draft';
const sourceTypes: Readonly<Record<DraftSource['kind'], TabularDataSourceType>> = {
  standard: TabularDataSourceType.STANDARD,
  hot: TabularDataSourceType.HOT_STORAGE,
  sink: TabularDataSourceType.PIPELINE_SINK,
};

/** The data source field of an MQL request. */
export const sourceOfQuery = (source: DraftSource) => ({
  type: sourceTypes[source.kind],
  ...(source.kind === 'sink' && { pipelineId: source.pipelineId }),
});

/** The query tab's state: the edited query, and its current or last run. */
export class QueryState {
  readonly #context: QueryContext;
  readonly #memory: MemoryPort;
  draft = $state.raw<QueryDraft>(readDraft(null));
  run = $state.raw<QueryRun | null>(null);
  #abort: AbortController | null = null;

  constructor(context: QueryContext, memory: MemoryPort) {
    this.#context = context;
    this.#memory = memory;
    this.draft = readDraft(recall(memory, memoryKey));
  }

  /** The query in the chosen language. */
  get text(): string {
    return this.draft[this.draft.language];
  }

  /** Changes the draft, and stores it for a reload. */
  write(changes: Partial<QueryDraft>): void {
    this.draft = { ...untrack(() => this.draft), ...changes };
    remember(this.#memory, memoryKey, this.draft);
  }

  /** Takes over the query of a link. Returns false if the link has none. */
  openLink(rest: string): boolean {
    const linked = draftOfLink(
      rest,
      untrack(() => this.draft),
    );
    if (linked) this.write(linked);
    return linked !== null;
  }

  get link(): string {
    return linkOfDraft(this.draft);
  }

  /** Runs the query. A run in progress is cancelled first. */
  async start(): Promise<void> {
    this.#abort?.abort();
    const abort = (this.#abort = new AbortController());
    const text = this.text;
    const ofSql = this.draft.language === 'sql' ? text : null;
    const startedMs = performance.now();
    this.run = { state: 'running', startedMs };
    let spans: readonly Span[] = [];
    try {
      const ask = this.#query(text, (stageSpans) => (spans = stageSpans));
      const documents = await readDocuments(await ask(abort.signal), abort.signal);
      const elapsedMs = performance.now() - startedMs;
      if (abort.signal.aborted) return;
      this.run = { state: 'answered', result: { ...documents, elapsedMs }, ofSql };
      const count = documents.rows.length;
      this.#context.announce(`${counted(count, 'row')}.`);
    } catch (error) {
      if (abort.signal.aborted) return;
      const failure = queryFailure(error, text, spans);
      this.run = failure ? { state: 'failed', failure, ofText: text } : { state: 'cancelled' };
    }
  }

  /** Cancels the run; the service stops computing it. */
  cancel(): void {
    if (this.run?.state !== 'running') return;
    this.#abort?.abort();
    this.run = { state: 'cancelled' };
    this.#context.announce('The query was cancelled.');
  }

  /** Cancels the run, without an announcement, when the tab is left. */
  leave(): void {
    this.#abort?.abort();
  }

  #query(text: string, onSpans: (spans: readonly Span[]) => void) {
    const { data, home } = this.#context;
    const { organizationId } = home;
    const { language, source, prefix } = this.draft;
    if (language === 'sql')
      return async (signal: AbortSignal) =>
        (await data.tabularDataBySQL({ organizationId, sqlQuery: text }, { signal })).rawData;
    const { stages, spans } = readMql(text);
    onSpans(spans);
    const request = {
      organizationId,
      mqlBinary: stages,
      dataSource: sourceOfQuery(source),
      ...(prefix && { queryPrefixName: prefix }),
    };
    return async (signal: AbortSignal) => (await data.tabularDataByMQL(request, { signal })).rawData;
  }
}
