import { randomUUID } from 'node:crypto';
import { PipelineScheduler } from '../../src/data-service/pipelines/pipeline-scheduler.ts';
import { openSqliteDataStore } from '../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { systemClock } from '../../src/server/data-host.ts';

// Claims windows of the pipelines in the folder of its argument, says so once it was asked to query, and never answers.

const store = await openSqliteDataStore(process.argv[2]!, systemClock);
const hang = (): Promise<never> => {
  console.log('claimed');
  return new Promise(() => setInterval(() => undefined, 1000));
};
const scheduler = new PipelineScheduler({
  ...{ store, clock: systemClock, ids: { next: () => randomUUID() } },
  queryRunner: { run: hang, compileSql: hang },
  defects: { report: (error) => console.error(error) },
});
await scheduler.tick(new AbortController().signal);
