import type { TabularRow } from '../ports/stored-captures.ts';
import type { ReadingRun } from '../ports/reading-runs.ts';
import type { ReadPlan } from './mql/read-plan.ts';
import { TopRows, type TopSort } from './mql/top-rows.ts';
import type { QueryDocument } from './query-document.ts';
import { arePacked, readingDocuments, runDocuments } from './reading-document.ts';

type Runs = () => Iterable<ReadingRun>;

/** The first batch is small, as a $limit may need no more. */
const smallestBatch = 100;
const largestBatch = 1000;

/**
 * The documents of a plan in the order of time, or the first ones of another order, in batches. `runs` may be
 * iterated twice.
 */
export function* readRuns(runs: Runs, plan: ReadPlan): Generator<QueryDocument[]> {
  const top = plan.top && topOf(runs, plan.top);
  if (top === null) return yield* inBatches(runs, plan);
  yield top.map(readingDocuments(plan.paths));
}

function* inBatches(runs: Runs, { paths, limit }: ReadPlan): Generator<QueryDocument[]> {
  const documentsOf = arePacked(paths) ? runDocuments(paths) : wholeDocuments(paths);
  let rows: QueryDocument[] = [];
  let size = smallestBatch;
  let left = limit;
  if (left === 0) return;
  for (const run of runs()) {
    for (const document of documentsOf(run)) {
      rows.push(document);
      if (--left === 0) return yield rows;
      if (rows.length < size) continue;
      yield rows;
      rows = [];
      size = Math.min(largestBatch, size * 2);
    }
  }
  yield rows;
}

function wholeDocuments(paths: readonly string[] | null): (run: ReadingRun) => Generator<QueryDocument> {
  const documentOf = readingDocuments(paths);
  return function* ({ from, to, row }) {
    for (let place = from; place < to; place++) yield documentOf(row(place));
  };
}

/**
 * The rows that a sort puts first, in the order of time, read from the columns that it sorts by; null: it cannot be
 * decided.
 */
function topOf(runs: Runs, top: TopSort): TabularRow[] | null {
  const paths = top.keys.map(([path]) => path);
  if (!arePacked(paths)) return null;
  const keysOf = runDocuments(paths);
  const rows = new TopRows<() => TabularRow>(top);
  for (const run of runs()) {
    let place = run.from;
    for (const keys of keysOf(run)) {
      const at = place++;
      if (!rows.add(keys, () => () => run.row(at))) return null;
    }
  }
  return rows.inOrder().map((row) => row());
}
