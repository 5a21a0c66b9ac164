import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createClient } from '@connectrpc/connect';
import { serialize } from 'bson';
import { DataService } from '../../src/gen/app/data/v1/data_pb.ts';
import { DataSyncService, DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { openSqliteDataStore } from '../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { median, type Figure } from '../figure.ts';
import { fillTabular } from '../pages/page-cost-rows.ts';
import { quantile } from '../quantile.ts';
import { startRealServer, type RealServer } from '../real-server.ts';

const rowCount = 100_000;
export const clients = 64;
const callsPerSecond = 33;
export const seconds = 30;
const pictureBytes = 50_000;

export const figure: Figure = {
  title: `${clients} clients of all kinds that make ${callsPerSecond} calls a second together, over ${rowCount.toLocaleString('en')} readings`,
  async measure({ root, note }) {
    const folder = await mkdtemp(join(tmpdir(), 'sightglass-load-'));
    const server = await startRealServer(root, folder);
    try {
      const store = await openSqliteDataStore(folder, { now: () => Date.now() * 1000 });
      const { organizationId, partId } = server;
      await fillTabular(store, rowCount, { organizationId, partId });
      await store.close();
      const kinds = await callsOf(server);
      for (const call of Object.values(kinds)) await call(); // warm-up
      const { times, errors } = await load(kinds);
      const all = Object.values(times).flat();
      const [p50, p99] = [median(all), quantile(all, 0.99)];
      note(`${all.length} calls, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(0)} ms, ${errors.length} errors`);
      for (const [kind, ofKind] of Object.entries(times)) {
        note(`${kind}: p50 ${median(ofKind).toFixed(1)} ms, p99 ${quantile(ofKind, 0.99).toFixed(0)} ms`);
      }
      for (const error of new Set(errors)) note(error);
      return [
        { name: 'p99 of the calls over their p50', value: p99 / p50, unit: '×', atMost: 10 },
        { name: 'calls that failed', value: errors.length, unit: '', atMost: 0 },
      ];
    } finally {
      await server.close();
      await rm(folder, { recursive: true });
    }
  },
};

export type Kinds = Readonly<Record<string, () => Promise<unknown>>>;

/** The calls of machines, of people in the app, and of scripts. `url` is asked for at each download. */
export async function callsOf(
  server: Pick<RealServer, 'transport' | 'organizationId' | 'partId' | 'url' | 'keyId' | 'key'>,
): Promise<Kinds> {
  const { transport, organizationId, partId, keyId, key } = server;
  const [data, sync] = [createClient(DataService, transport), createClient(DataSyncService, transport)];
  const picture = new Uint8Array(pictureBytes).map((_, at) => (at * 31) & 0xff);
  const uploadPicture = () =>
    sync.dataCaptureUpload({
      metadata: { partId, type: DataType.BINARY_SENSOR, componentName: 'cam', fileExtension: '.jpg' },
      sensorContents: [{ data: { case: 'binary', value: picture } }],
    });
  const { binaryDataId } = await uploadPicture();
  const stages = [{ $match: { component_name: 'sensor-3' } }, { $limit: 100 }].map((stage) => serialize(stage));
  const group = [{ $group: { _id: '$component_name', n: { $sum: 1 } } }].map((stage) => serialize(stage));
  return {
    'uploads a picture': uploadPicture,
    'uploads readings': () =>
      sync.dataCaptureUpload({
        metadata: { partId, type: DataType.TABULAR_SENSOR, componentName: 'oven', methodName: 'Readings' },
        sensorContents: Array.from({ length: 20 }, (_, n) => ({
          data: { case: 'struct' as const, value: { readings: { temp: n } } },
        })),
      }),
    'lists pictures': () => data.binaryDataByFilter({ dataRequest: { limit: 50n } }),
    'counts pictures': () => data.binaryDataByFilter({ countOnly: true }),
    'reads a picture': () => data.binaryDataByIDs({ binaryDataIds: [binaryDataId], includeBinary: true }),
    'reads readings': () => data.tabularDataByFilter({ dataRequest: { limit: 50n } }),
    'lists tags': () => data.tagsByFilter({}),
    queries: () => data.tabularDataByMQL({ organizationId, mqlBinary: stages }),
    'groups all readings': () => data.tabularDataByMQL({ organizationId, mqlBinary: group }),
    'downloads a picture': async () => {
      const answer = await fetch(`${server.url}data/files/${binaryDataId}`, { headers: { key_id: keyId, key } });
      if (answer.status !== 200) throw new Error(`A download was answered with ${answer.status}.`);
      await answer.arrayBuffer();
    },
  };
}

/** Clients make calls of all kinds in turn on a fixed schedule. A call that is late because of a slow answer follows at once. */
export async function load(kinds: Kinds): Promise<{ times: Record<string, number[]>; errors: string[] }> {
  const names = Object.keys(kinds);
  const times: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
  const errors: string[] = [];
  const startMs = performance.now();
  const everyMs = (1000 * clients) / callsPerSecond;
  const run = async (client: number): Promise<void> => {
    for (let call = 0; ; call++) {
      const dueMs = startMs + (call + client / clients) * everyMs;
      if (dueMs > startMs + seconds * 1000) return;
      await setTimeout(Math.max(0, dueMs - performance.now()));
      const name = names[(client + call) % names.length]!;
      const beganMs = performance.now();
      try {
        await kinds[name]!();
      } catch (error) {
        errors.push(`${name}: ${(error as Error).message}`);
      }
      times[name]!.push(performance.now() - beganMs);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => run(client)));
  return { times, errors };
}
