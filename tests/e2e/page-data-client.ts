import { createDataClient, type DataClient } from '../../workers/data-service/client.ts';
import { localHome } from '../../src/data-service/access/local-home.ts';

/** The globals that `openDataClient` adds for functions that a test evaluates in the page. */
export interface PageData {
  readonly client: DataClient;
  readonly home: typeof localHome;
}

declare global {
  var openPageData: (workerPath: string) => void;
  var pageData: PageData;
}

globalThis.openPageData = (workerPath) => {
  const start = () => new Worker(new URL(workerPath, document.baseURI), { type: 'module' });
  globalThis.pageData = { client: createDataClient(start), home: localHome };
};
