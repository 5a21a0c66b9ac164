import { localOwner } from '../../../data-service/face/local-home.ts';
import { type Clock, type DataServiceDependencies, defaultLimits, noLogIn } from '../../../data-service/face/hosts.ts';
import { IsolatedQueryRunner, undivided } from '../../../data-service/face/queries.ts';
import { readQueryRows, type StartQueryWorker } from '../../../data-service/face/query-engine.ts';
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
