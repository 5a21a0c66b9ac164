import { counted } from '../../../kit/words/figures.ts';
import { untrack } from 'svelte';
import { queryRows, type RowQuery } from '../../../../remote/links/rows-link.ts';
import { joinDocuments } from '../../../../base/row-files/bson-rows.ts';
import type { RowFormat } from '../../../../base/row-files/row-file-writer.ts';
import type { saveFile } from '../../../kit/layout/save-file.ts';
import { TabularDataSourceType } from '../../../../gen/app/data/v1/data_pb.ts';
import { recall, remember, type MemoryPort } from '../../../kit/memory/remembered.ts';
import type { DataContext } from '../../context/data-context.ts';
import { readDocuments, type ReadDocuments } from '../../shared/documents/read-documents.ts';
import { RowExport } from '../../shared/row-files/row-export.svelte.ts';
import { readMql, type Span } from './mql-text.ts';
import { draftOfLink, linkOfDraft, readDraft, type QueryDraft, type DraftSource } from './query-draft.ts';
import { queryFailure, type QueryFailure } from './query-failure.ts';

export interface QueryResult extends ReadDocuments {
  /** the rows as they came, each a BSON document */
  readonly documents: readonly Uint8Array[];
  readonly elapsedMs: number;
}

/** The state of the current or last run. */
export type QueryRun =
  | { readonly state: 'running'; readonly startedMs: number }
  /** `ofSql`: the SQL that was run; null if the query was MQL */
  | { readonly state: 'answered'; readonly result: QueryResult; readonly ofSql: string | null }
  /** `ofText`: the text that was run; `failure.span` is a range of it */
  | {
      readonly state: 'failed';
      readonly failure: QueryFailure;
      readonly ofText: string;
      /** the query whose answer was too large for one message, and can be saved as a file; null: another failure */
      readonly tooLarge: RowQuery | null;
    }
  | { readonly state: 'cancelled' };

type QueryContext = Pick<DataContext, 'data' | 'transport' | 'home' | 'announce' | 'writeRows'>;

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
  /** The file that rows are saved in. */
  readonly saving: RowExport;
  draft = $state.raw<QueryDraft>(readDraft(null));
  run = $state.raw<QueryRun | null>(null);
  #abort: AbortController | null = null;

  constructor(context: QueryContext, memory: MemoryPort, save?: typeof saveFile) {
    this.#context = context;
    this.#memory = memory;
    this.saving = new RowExport(context, save);
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
    let query: RowQuery | null = null;
    try {
      query = this.#query(text, (stageSpans) => (spans = stageSpans));
      const rawData = await this.#ask(query, abort.signal);
      const read = await readDocuments(rawData, abort.signal);
      const elapsedMs = performance.now() - startedMs;
      if (abort.signal.aborted) return;
      this.run = { state: 'answered', result: { ...read, documents: rawData, elapsedMs }, ofSql };
      this.#context.announce(`${counted(read.rows.length, 'row')}.`);
    } catch (error) {
      if (abort.signal.aborted) return;
      const failure = queryFailure(error, text, spans);
      const tooLarge = failure?.isTooLarge ? query : null;
      this.run = failure ? { state: 'failed', failure, ofText: text, tooLarge } : { state: 'cancelled' };
    }
  }

  /** Saves the rows that are shown as a file, or all rows of an answer that was too large to be shown. */
  async save(format: RowFormat): Promise<void> {
    const { run } = this;
    if (run?.state === 'answered') {
      const { documents } = run.result;
      await this.saving.save({ name: fileName, instants: [], read: () => inParts(documents) }, format);
    } else if (run?.state === 'failed' && run.tooLarge !== null) {
      const { tooLarge } = run;
      const read = (signal: AbortSignal) => queryRows(this.#context.transport, tooLarge, signal);
      await this.saving.save({ name: fileName, instants: [], read }, format);
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
    this.saving.end();
  }

  #query(text: string, onSpans: (spans: readonly Span[]) => void): RowQuery {
    const { organizationId } = this.#context.home;
    const { language, source, prefix } = this.draft;
    if (language === 'sql') return { case: 'sql', value: { organizationId, sqlQuery: text } };
    const { stages, spans } = readMql(text);
    onSpans(spans);
    const value = {
      organizationId,
      mqlBinary: stages,
      dataSource: sourceOfQuery(source),
      ...(prefix && { queryPrefixName: prefix }),
    };
    return { case: 'mql', value };
  }

  async #ask(query: RowQuery, signal: AbortSignal): Promise<readonly Uint8Array[]> {
    const { data } = this.#context;
    const asked =
      query.case === 'sql'
        ? data.tabularDataBySQL(query.value, { signal })
        : data.tabularDataByMQL(query.value, { signal });
    return (await asked).rawData;
  }
}

const fileName = 'query';
const documentsAPart = 1000;

async function* inParts(documents: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < documents.length; from += documentsAPart)
    yield joinDocuments(documents.slice(from, from + documentsAPart));
}
