import { randomUUID } from 'node:crypto';
import { PipelineScheduler } from '../../src/data-service/pipelines/pipeline-scheduler.ts';
import type { Query } from '../../src/data-service/ports/query-runner.ts';
import { openSqliteDataStore } from '../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { systemClock } from '../../src/server/start-data-host.ts';

// A scheduler over the data folder of its first argument whose queries never end. It prints a line when it is to query a
// window that ends by its second argument (µs since 1970). For later windows it returns an empty result.

const until = Number(process.argv[3]);
const store = await openSqliteDataStore(process.argv[2]!, systemClock);
const hang = ({ source }: Query): Promise<readonly Uint8Array[]> => {
  if (source.kind === 'readings' && source.interval!.end! > until) return Promise.resolve([]);
  console.log('claimed');
  return new Promise(() => setInterval(() => undefined, 1000));
};
const scheduler = new PipelineScheduler({
  store,
  ids: { next: () => randomUUID() },
  queryRunner: { run: hang, async *stream() {} },
  defects: { report: (error) => console.error(error) },
});
await scheduler.tick(new AbortController().signal);
