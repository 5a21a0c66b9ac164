import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readResults } from '../../src/remote/links/replay-link.ts';
import { openSqliteDataStore } from '../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import type { Figure, Measurement } from '../figure.ts';
import { startRealServer, type RealServer } from '../real-server.ts';
import { frameMicros, recordedFrameAt, type Loads } from '../recorded-frames.ts';

/** A week at five frames a second. */
const frameCount = 3_000_000;
const insertedCount = 30_000;
const atOnce = 5000;
/** The time to read a frame: of ten seconds for a week two are for filtering. */
const mostMs = 8000 / frameCount;
/** A tenth of a week: to store all of it takes a browser most of an hour. */
const browserCount = frameCount / 10;

export const figure: Figure = {
  title: 'what was said of recorded frames, loaded in columns',
  limitMinutes: 40,
  async measure({ root, measureOnDisk, at }) {
    const server = await serverLoads(root, at);
    const browser = await measureOnDisk<Loads>('replay-load', browserCount);
    return [
      {
        name: 'server, of frames that lie in rows alone (stored by a former version)',
        value: server.unpackedMs / 1000,
        unit: 's',
      },
      ...measurements('server', frameCount, server),
      ...measurements('browser', browserCount, browser),
    ];
  },
};

function measurements(host: string, frames: number, { firstMs, secondMs, bareMs }: Loads): Measurement[] {
  const of = `${host}, ${frames.toLocaleString('en')} frames`;
  const atMost = (frames * mostMs) / 1000;
  return [
    { name: `${of}, the first time`, value: firstMs / 1000, unit: 's', atMost },
    { name: `${of}, the second time`, value: secondMs / 1000, unit: 's', atMost },
    { name: `the same over a bare read of the sheets`, value: secondMs / bareMs, unit: '×' },
  ];
}

async function serverLoads(root: string, at: (place: string) => void): Promise<Loads & { unpackedMs: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-replay-'));
  try {
    const first = await startRealServer(root, folder);
    await first.close();
    at('storing frames in SQLite');
    const path = await fill(folder, first);
    const server = await startRealServer(root, folder, first);
    try {
      at('reading from the server');
      const unpackedMs = await load(server);
      const loads = { firstMs: await load(server), secondMs: await load(server) };
      return { ...loads, unpackedMs, bareMs: bareRead(path) };
    } finally {
      await server.close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Stores some frames, and these again and again at later times, by SQL: the store's own insert would take half an hour. */
async function fill(folder: string, server: RealServer): Promise<string> {
  const store = await openSqliteDataStore(folder, { now: () => Date.now() * 1000 });
  const { organizationId } = server;
  for (let first = 0; first < insertedCount; first += atOnce) {
    const records = Array.from({ length: atOnce }, (_, index) => recordedFrameAt(first + index, server));
    const receipt = { organizationId, uploadId: `bench-${first}`, fromClient: false, fileId: '', binaryDataId: '' };
    await store.binary.insert(records, { ...receipt, timeSynced: first });
  }
  await store.close();
  const database = new DatabaseSync(store.databasePath);
  database.exec('BEGIN; DELETE FROM result_sheets; CREATE TEMP TABLE inserted AS SELECT * FROM binary_captures;');
  const again = database.prepare(`
    INSERT INTO binary_captures (id, organization_id, stream, time, size, blob_address, entry)
    SELECT id || ?1, organization_id, stream, time + ?2, size, blob_address || ?1, entry FROM inserted`);
  for (let n = 1; n < frameCount / insertedCount; n++) again.run(`-${n}`, n * insertedCount * frameMicros);
  database.exec('COMMIT');
  database.close();
  return store.databasePath;
}

async function load({ transport, organizationId, partId }: RealServer): Promise<number> {
  const startMs = performance.now();
  const of = { organizationId, partId, serviceName: 'watch', kind: 'detections' } as const;
  let frames = 0;
  const { signal } = new AbortController();
  for await (const { columns } of readResults(transport, { ...of, startMs: 0, endMs: 1e13 }, signal)) {
    frames += columns.timesMs.length;
  }
  if (frames !== frameCount) throw new Error(`Read ${frames} of ${frameCount} frames.`);
  return performance.now() - startMs;
}

function bareRead(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const startMs = performance.now();
  for (const _ of database.prepare('SELECT columns FROM result_sheets').iterate());
  database.close();
  return performance.now() - startMs;
}
