import type { DataContext } from '../src/app/data/context/data-context.ts';
import { errorWords } from '../src/app/kit/words/error-words.ts';
import { memoryDataStore } from './memory-store/memory-data-store.ts';
import { inlineQueryWorker } from './inline-query-worker.ts';
import { undivided } from '../src/data-service/query/fair-turns.ts';
import { IsolatedQueryRunner } from '../src/data-service/query/isolated-query-runner.ts';
import { readQueryRows } from '../src/data-service/query/query-rows.ts';
import type { DataServiceDependencies } from '../src/data-service/ports/dependencies.ts';
import { createRowFilesApi } from '../workers/row-files/api.ts';
import { startDataService, type TestService } from './data-service-fixture.ts';

/** Starts a data service that runs queries in this thread. */
export function startQueryService(changes: Partial<DataServiceDependencies> = {}): Promise<TestService> {
  let service: TestService | null = null;
  const clock = { now: (): number => service?.time.now ?? 0 };
  const store = memoryDataStore(clock);
  const rows = readQueryRows(store);
  const queryRunner = new IsolatedQueryRunner({ rows, startWorker: inlineQueryWorker, clock, turns: undivided(4) });
  return startDataService({ store, queryRunner, ...changes }).then((started) => (service = started));
}

/** Writes rows into a file in this thread. */
export const writeRowsHere: DataContext['writeRows'] = (order, rows, onProgress, signal) => {
  const parts = rows[Symbol.asyncIterator]();
  const next = async () => {
    signal.throwIfAborted();
    const { value, done } = await parts.next();
    return done ? null : value;
  };
  return createRowFilesApi().write(order, next, onProgress);
};

type Given = Pick<
  DataContext,
  | 'data'
  | 'sync'
  | 'datasets'
  | 'pipelines'
  | 'transport'
  | 'home'
  | 'place'
  | 'announce'
  | 'report'
  | 'linkTrouble'
  | 'writeRows'
  | 'refusal'
>;

/** The context of a data area tab, over a real data service in memory, with a record of what the tab reported. */
export interface TestTab {
  readonly service: TestService;
  readonly context: Given;
  /** announced sentences */
  readonly said: string[];
  /** reported failures, with the errors' messages */
  readonly reported: string[];
}

/** Opens a tab as an owner of organization `a` whose home is `lab-part`. */
export async function openDataTab(changes: Partial<DataServiceDependencies> = {}): Promise<TestTab> {
  const service = await startQueryService(changes);
  const [said, reported]: [string[], string[]] = [[], []];
  const { data, sync, datasets, pipelines, transport } = service.owner;
  let at = { tab: 'images' as DataContext['place']['tab'], rest: '' };
  const place: DataContext['place'] = {
    get tab() {
      return at.tab;
    },
    get rest() {
      return at.rest;
    },
    href: (tab, rest = '') => `#/data/${tab}${rest}`,
    go: (tab, rest = '') => (at = { tab, rest }),
  };
  const context: Given = {
    data,
    sync,
    datasets,
    pipelines,
    transport,
    place,
    home: { organizationId: 'a', locationId: 'lab', partId: 'lab-part' },
    announce: (sentence) => said.push(sentence),
    report(error, what) {
      const words = errorWords(error);
      if (words) reported.push(`${what} ${words.message}`);
    },
    linkTrouble: async () => null,
    writeRows: writeRowsHere,
    refusal: () => '',
  };
  return { service, context, said, reported };
}
