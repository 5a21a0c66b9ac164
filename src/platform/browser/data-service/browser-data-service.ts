import { localOwner } from '../../../data-service/access/local-home.ts';
import { defaultLimits, noLogIn, type DataServiceDependencies } from '../../../data-service/ports/dependencies.ts';
import type { Clock } from '../../../data-service/ports/clock.ts';
import { undivided } from '../../../data-service/query/fair-turns.ts';
import { IsolatedQueryRunner } from '../../../data-service/query/isolated-query-runner.ts';
import { readQueryRows } from '../../../data-service/query/query-rows.ts';
import type { StartQueryWorker } from '../../../data-service/query/query-worker.ts';
import { browserSecrets } from './browser-secrets.ts';
import { idbDataStore } from '../indexed-db/data-store/idb-data-store.ts';
import { localFilesOrigin } from './local-files.ts';
import { randomId } from '../bytes/random-id.ts';

/** What the data service needs, of a browser: its storage, its workers, and its user for whom it acts. */
export function browserDataService({
  clock,
  startQueryWorker,
  databaseName,
  onDataLetGo,
}: {
  readonly clock: Clock;
  readonly startQueryWorker: StartQueryWorker;
  readonly databaseName?: string;
  /** the data may be gone: deleted by another tab, or by the browser */
  readonly onDataLetGo?: () => void;
}): DataServiceDependencies {
  const store = idbDataStore(clock, databaseName, undefined, onDataLetGo);
  return {
    store,
    clock,
    ids: { next: randomId },
    secrets: browserSecrets(),
    queryRunner: new IsolatedQueryRunner({
      rows: readQueryRows(store),
      startWorker: startQueryWorker,
      clock,
      turns: undivided(2),
    }),
    defects: { report: (error: unknown) => reportError(error) },
    limits: defaultLimits,
    withoutToken: localOwner,
    logIn: noLogIn,
    publicOrigin: ({ url }) => localFilesOrigin(url),
    database: { absentBecause: 'A browser takes no connections: run `sightglass serve` for a database endpoint.' },
  };
}
