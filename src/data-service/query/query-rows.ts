import type { Position, TabularFilter } from '../ports/capture-filter.ts';
import type { PipelineStore } from '../ports/pipeline-store.ts';
import type { Query } from '../ports/query-runner.ts';
import type { Interval, TabularRow } from '../ports/stored-captures.ts';
import type { PackedPage, PackedReadings } from '../ports/packed-readings.ts';
import type { FieldHint, PackedScans, TabularStore } from '../ports/tabular-store.ts';
import { positionOf } from '../ports/capture-filter.ts';
import type { FromCount } from './mql/counting-stage.ts';
import type { FromOrigins } from './mql/origin-group.ts';
import { planReading, type ReadPlan } from './mql/read-plan.ts';
import { parseStages } from './mql/parse-stages.ts';
import { sinkHints } from './mql/sink-hints.ts';
import { packEncodedRows } from './packed-rows.ts';
import type { ToQueryWorker } from './query-worker.ts';
import type { ReadingRuns } from '../ports/reading-runs.ts';
import type { QueryDocument } from './query-document.ts';
import { readRuns } from './read-runs.ts';
import { arePacked, partsOf, readingDocuments } from './reading-document.ts';

// A query has one way to its rows. Each of them answers what another answers too slowly, or not at all:
// - results of a pipeline lie in a store of their own (`readSink`);
// - a count, and the list of origins, are kept by the store and read no row (`readCount`, `originCounts`);
// - groups over numbers are read from columns that the server's store has packed (`readRuns`, ascending only);
// - other queries of few fields take payloads as text, which the query's worker reads (`readPacked`, ascending only); where
//   the store packs whole scans, whole documents, too;
// - else whole documents are made here, page by page (`readReadings`); and the newest first, where the last millisecond is
//   read to its end, as the store orders by microseconds and a query by milliseconds.

/** A batch of the documents that a query reads. */
export type QueryRows = Extract<ToQueryWorker, { type: 'rows' | 'readings' | 'documents' }>;

/** The rows of a query, and the stages that remain to run over them. */
export interface QueryReading {
  readonly stages: readonly Uint8Array[];
  readonly rows: AsyncIterable<QueryRows> | Iterable<QueryRows>;
}

interface Stores {
  readonly tabular: Pick<TabularStore, 'page' | 'pageByHints' | 'packedPage' | 'summarize'> &
    Partial<ReadingRuns & PackedScans>;
  readonly pipelines: Pick<PipelineStore, 'sink'>;
}

const batchSize = 1000;
const packedBatchSize = 4000;
/** Length of the payloads in one batch: a single reading may have 4 MB. */
const batchTextLength = 8 * 1024 * 1024;

/**
 * Makes the reader of a query's rows: readings as plain documents in batches, results of pipelines as they are stored.
 * @param stores readings and pipelines
 * @returns a function from a query to its rows, and the stages that the store did not answer already
 * @example
 * const read = readQueryRows({ pipelines: {} });
 * const query = { organizationId: 'a', source: { kind: 'pipeline-sink', pipelineId: 'hourly' }, stages: [] };
 * read(query).stages; // => []
 */
export function readQueryRows({ tabular, pipelines }: Stores): (query: Query) => QueryReading {
  return ({ organizationId, source, stages }) => {
    if (source.kind === 'pipeline-sink') {
      return { stages, rows: readSink(pipelines, source.pipelineId, sinkHints(parseStages(stages))) };
    }
    const countsOrigins = tabular.originCounts !== undefined;
    const plan = planReading(organizationId, source.interval, parseStages(stages), countsOrigins);
    return { stages: stages.slice(plan.answered), rows: readPlanned(tabular, plan) };
  };
}

function readPlanned(tabular: Stores['tabular'], plan: ReadPlan): QueryReading['rows'] {
  const { filter, hints, order, fromCount, fromOrigins } = plan;
  if (fromCount !== null) return readCount(tabular, filter, fromCount);
  if (fromOrigins !== null) return readOrigins(tabular, filter, fromOrigins);
  const hasRuns = order === 'ascending' && Boolean(tabular.readingRuns?.(filter, hints));
  if (hasRuns) return asRows(readRuns(() => tabular.readingRuns!(filter, hints)!, plan));
  const isPacked = order === 'ascending' && (tabular.packedScan !== undefined || arePacked(plan.paths));
  return isPacked ? readPacked(tabular, plan) : readReadings(tabular, plan);
}

function* asRows(batches: Iterable<readonly QueryDocument[]>): Generator<QueryRows> {
  for (const rows of batches) yield { type: 'rows', rows };
}

async function* readCount(
  tabular: Stores['tabular'],
  filter: TabularFilter,
  fromCount: FromCount,
): AsyncGenerator<QueryRows> {
  const { count } = await tabular.summarize(filter);
  yield { type: 'rows', rows: fromCount(count) };
}

async function* readOrigins(
  tabular: Stores['tabular'],
  filter: TabularFilter,
  fromOrigins: FromOrigins,
): AsyncGenerator<QueryRows> {
  yield { type: 'rows', rows: fromOrigins(await tabular.originCounts!(filter)) };
}

async function* readSink(
  pipelines: Stores['pipelines'],
  pipelineId: string,
  hints: readonly FieldHint[],
): AsyncGenerator<QueryRows> {
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<Stores['pipelines']['sink']>> = await pipelines.sink(
      pipelineId,
      after,
      batchSize,
      hints,
    );
    if (page.length > 0) yield { type: 'documents', documents: packEncodedRows(page.map(({ document }) => document)) };
    after = page.length < batchSize ? null : page.at(-1)!.key;
  } while (after !== null);
}

async function* readPacked(tabular: Stores['tabular'], plan: ReadPlan): AsyncGenerator<QueryRows> {
  const { filter, hints, limit, paths } = plan;
  if (limit === 0 || isEmpty(filter.interval)) return;
  const pages = tabular.packedScan?.(filter, hints, limit, partsOf(paths)) ?? packedPages(tabular, plan);
  for await (const readings of pages) yield { type: 'readings', readings, paths };
}

async function* packedPages(
  tabular: Stores['tabular'],
  { filter, order, hints, limit: enough }: ReadPlan,
): AsyncGenerator<PackedReadings> {
  let after: Position | null = null;
  let size = 100;
  for (let left = enough; left > 0;) {
    const limit = Math.min(left, size);
    const { readings, last }: PackedPage = await tabular.packedPage({ filter, order, after, limit }, hints);
    const { count } = readings;
    if (count > 0) yield readings;
    if (count < limit) return;
    left -= count;
    after = last;
    size = Math.max(
      1,
      Math.min(size * 4, packedBatchSize, Math.floor((batchTextLength * count) / readings.payloads.length)),
    );
  }
}

async function* readReadings(tabular: Stores['tabular'], plan: ReadPlan): AsyncGenerator<QueryRows> {
  const toDocument = readingDocuments(plan.paths);
  if (plan.order === 'ascending') {
    for await (const rows of readPages(tabular, plan, plan.limit)) yield { type: 'rows', rows: rows.map(toDocument) };
    return;
  }
  const newest: TabularRow[] = [];
  for await (const rows of readPages(tabular, plan, Infinity)) {
    for (const row of rows) {
      if (newest.length >= plan.limit && !sameMillisecond(row, newest.at(-1)!)) {
        yield { type: 'rows', rows: newest.reverse().map(toDocument) };
        return;
      }
      newest.push(row);
    }
  }
  yield { type: 'rows', rows: newest.reverse().map(toDocument) };
}

const sameMillisecond = (a: TabularRow, b: TabularRow): boolean =>
  Math.floor(a.timeRequested / 1000) === Math.floor(b.timeRequested / 1000);

const isEmpty = ({ start, end }: Interval): boolean => start !== null && end !== null && start >= end;

async function* readPages(
  tabular: Stores['tabular'],
  { filter, order, hints, limit: enough }: ReadPlan,
  limit: number,
): AsyncGenerator<readonly TabularRow[]> {
  if (limit === 0 || isEmpty(filter.interval)) return;
  let after: Position | null = null;
  let left = limit;
  for (;;) {
    // one more than needed shows whether the last millisecond has further rows
    const size = Math.min(left, enough + 1, batchSize);
    const scan = { filter, order, after, limit: size };
    const rows: readonly TabularRow[] = await (hints.length === 0
      ? tabular.page(scan)
      : tabular.pageByHints(scan, hints));
    if (rows.length > 0) yield rows;
    left -= rows.length;
    if (rows.length < size || left === 0) return;
    after = positionOf(rows.at(-1)!);
  }
}
