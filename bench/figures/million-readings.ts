import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createClient } from '@connectrpc/connect';
import { serialize } from 'bson';
import { DataService, IndexableCollection } from '../../src/gen/app/data/v1/data_pb.ts';
import { median, type Figure, type Measurement } from '../figure.ts';
import { quantile } from '../quantile.ts';
import { startRealServer, type RealServer } from '../real-server.ts';
import { uploadReadings } from '../upload-readings.ts';

const rowCount = 1_000_000;
const quietMs = 10_000;
const betweenProbesMs = 20;
const warmUpProbes = 50;

export const figure: Figure = {
  title: `/healthz while ${rowCount.toLocaleString('en')} readings are indexed, and deleted`,
  limitMinutes: 40,
  async measure({ root, note, at }) {
    const folder = await mkdtemp(join(tmpdir(), 'sightglass-million-'));
    const server = await startRealServer(root, folder);
    try {
      const data = createClient(DataService, server.transport);
      const { organizationId } = server;
      const probe = async (name: string, work: () => Promise<unknown>): Promise<readonly number[]> => {
        at(name);
        const startMs = performance.now();
        const times = await probeWhile(server, work);
        const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
        note(
          `${name}, ${seconds} s: /healthz p50 ${median(times).toFixed(1)}, p99 ${quantile(times, 0.99).toFixed(1)}, at most ${Math.max(...times).toFixed(0)} ms`,
        );
        return times;
      };
      const upload = async (): Promise<void> => {
        at('while it uploads');
        await uploadReadings(server, rowCount);
      };
      const deleteAll = async (): Promise<void> => {
        const { deletedCount } = await data.deleteTabularData({ organizationId, deleteOlderThanDays: 0 });
        if (deletedCount !== BigInt(rowCount)) throw new Error(`${deletedCount} readings were deleted.`);
      };
      const collectionType = IndexableCollection.HOT_STORE;
      const indexSpec = [serialize({ keys: { 'data.readings.count': 1 } })];

      await probeWhile(server, () => setTimeout(warmUpProbes * betweenProbesMs));
      const quiet = await probe('quiet', () => setTimeout(quietMs));
      await upload();
      const deleting = await probe('DeleteTabularData of all', deleteAll);
      await upload();
      const indexing = await probe('CreateIndex', () =>
        data.createIndex({ organizationId, collectionType, indexSpec }),
      );
      const deletingIndexed = await probe('DeleteTabularData of all, indexed', deleteAll);
      const longest = (name: string, times: readonly number[]): Measurement[] => [
        { name: `/healthz during ${name}, at most`, value: Math.max(...times), unit: 'ms', atMost: 100 },
        {
          name: `the same, p99 over that in the quiet`,
          value: quantile(times, 0.99) / quantile(quiet, 0.99),
          unit: '×',
        },
      ];
      return [
        ...longest('DeleteTabularData', deleting),
        ...longest('CreateIndex', indexing),
        ...longest('DeleteTabularData of what is indexed', deletingIndexed),
      ];
    } finally {
      await server.close();
      await rm(folder, { recursive: true });
    }
  },
};

/** Durations in ms of small requests that are sent while the work runs. */
async function probeWhile({ url }: RealServer, work: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  let isOver = false;
  const working = work().finally(() => (isOver = true));
  while (!isOver) {
    const startMs = performance.now();
    await (await fetch(new URL('/healthz', url))).text();
    times.push(performance.now() - startMs);
    await setTimeout(betweenProbesMs);
  }
  await working;
  return times;
}
