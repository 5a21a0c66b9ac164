import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { serialize } from 'bson';
import { DataService } from '../../src/gen/app/data/v1/data_pb.ts';
import { openSqliteDataStore } from '../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { median, type Figure } from '../figure.ts';
import { fillTabular } from '../pages/page-cost-rows.ts';
import { quantile } from '../quantile.ts';
import { startRealServer } from '../real-server.ts';

const rowCount = 1_000_000;
const everyMs = 20;
const aloneMs = 10_000;
const warmUps = 20;

export const figure: Figure = {
  title: `/healthz and a query of one row while another reads all of ${rowCount.toLocaleString('en')} readings`,
  async measure({ root, note }) {
    const folder = await mkdtemp(join(tmpdir(), 'sightglass-scan-'));
    const server = await startRealServer(root, folder);
    try {
      const store = await openSqliteDataStore(folder, { now: () => Date.now() * 1000 });
      const { organizationId, partId } = server;
      await fillTabular(store, rowCount, { organizationId, partId });
      await store.close();
      const data = createClient(DataService, server.transport);
      const query = (...stages: readonly object[]) =>
        data.tabularDataByMQL({ organizationId, mqlBinary: stages.map((stage) => serialize(stage)) });
      // nothing that a store could answer by itself: each row is looked at
      const scan = () => query({ $match: { $expr: { $lt: ['$data.readings.temp', -1] } } }).catch(unlessTooLate);
      const probes = {
        '/healthz': async () => void (await (await fetch(`${server.url}healthz`)).text()),
        'a query of one row': async () => void (await query({ $limit: 1 })),
      };
      const measurements = [];
      for (const [name, probe] of Object.entries(probes)) {
        for (let n = 0; n < warmUps; n++) await probe();
        const idle = await timesOf(probe, setTimeout(aloneMs));
        const busy = await timesOf(probe, scan());
        const [of, beside] = [quantile(idle, 0.99), quantile(busy, 0.99)];
        note(`${name}: p50 ${median(idle).toFixed(1)} ms, p99 ${of.toFixed(1)} ms alone, over ${idle.length}`);
        note(
          `${name}: p50 ${median(busy).toFixed(1)} ms, p99 ${beside.toFixed(1)} ms beside scans, over ${busy.length}`,
        );
        measurements.push({ name: `p99 of ${name} beside full scans`, value: beside, unit: 'ms', atMost: 100 });
        measurements.push({ name: `p99 of ${name} beside full scans over alone`, value: beside / of, unit: '×' });
      }
      return measurements;
    } finally {
      await server.close();
      await rm(folder, { recursive: true });
    }
  },
};

/** How long the probe took, ms, again and again until `end`. */
async function timesOf(probe: () => Promise<void>, end: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  const over = end.finally(() => (isOver = true));
  while (!isOver) {
    const startMs = performance.now();
    await probe();
    times.push(performance.now() - startMs);
    await setTimeout(everyMs);
  }
  await over;
  return times;
}

/** On a slow machine a scan meets its deadline: it has read all the same. */
function unlessTooLate(error: unknown): void {
  if (ConnectError.from(error).code !== Code.DeadlineExceeded) throw error;
}
