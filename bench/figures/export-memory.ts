import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createClient } from '@connectrpc/connect';
import { DataService } from '../../src/gen/app/data/v1/data_pb.ts';
import { openSqliteDataStore } from '../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import type { Figure } from '../figure.ts';
import { fillTabular } from '../pages/page-cost-rows.ts';
import { startRealServer, type RealServer } from '../real-server.ts';

const rowCounts = [100_000, 1_000_000] as const;
/** A client that stops reading for this long must not cost the server memory. */
const pauseMs = 3000;

export const figure: Figure = {
  title:
    'resident memory of a server while a client exports 1,000,000 rows, against 100,000, and while it stops reading',
  async measure({ root, note }) {
    const folder = await mkdtemp(join(tmpdir(), 'sightglass-export-'));
    const server = await startRealServer(root, folder);
    try {
      const clock = { now: () => Date.now() * 1000 };
      const store = await openSqliteDataStore(folder, clock);
      const { organizationId, partId } = server;
      await fillTabular(store, rowCounts[1], { organizationId, partId, componentName: 'oven' });
      await store.close();
      await highestMb(server, 20_000, 0); // warm-up
      const few = await highestMb(server, rowCounts[0], 0);
      const many = await highestMb(server, rowCounts[1], 0);
      const slow = await highestMb(server, rowCounts[0], pauseMs);
      note(
        `highest: ${few.toFixed(0)} MB of 100,000 rows, ${many.toFixed(0)} MB of 1,000,000, ${slow.toFixed(0)} MB slowly`,
      );
      return [
        { name: 'memory of 1,000,000 rows over that of 100,000', value: many / few, unit: '×', atMost: 1.25 },
        {
          name: 'memory with a client that stops reading over that of all',
          value: slow / many,
          unit: '×',
          atMost: 1.1,
        },
      ];
    } finally {
      await server.close();
      await rm(folder, { recursive: true });
    }
  },
};

/** Reads rows of an export with one pause in the middle. Returns the server's highest resident memory during that. */
async function highestMb({ transport, partId, pid }: RealServer, rows: number, restMs: number) {
  const reading = new AbortController();
  let highest = 0;
  const measure = async (): Promise<void> => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    highest = Math.max(highest, Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024);
  };
  const measuring = setInterval(() => void measure(), 50);
  const client = createClient(DataService, transport);
  const request = { partId, resourceName: 'oven', resourceSubtype: 'rdk:component:sensor', methodName: 'Readings' };
  let read = 0;
  try {
    for await (const _ of client.exportTabularData(request, { signal: reading.signal })) {
      read++;
      if (read === rows >> 1) await setTimeout(restMs);
      if (read === rows) break;
    }
  } finally {
    clearInterval(measuring);
    reading.abort();
  }
  if (read !== rows) throw new Error(`The export gave ${read} rows instead of ${rows}.`);
  return highest;
}
