import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { payloadText } from '../../src/data-service/ports/packed-readings.ts';
import type { TabularRow } from '../../src/data-service/ports/stored-captures.ts';
import { openPostgresDataStore } from '../../src/platform/node/postgres-data-store/open-postgres-data-store.ts';
import { PostgresDatabase } from '../../src/platform/node/postgres-data-store/postgres-database.ts';
import { memoryDataStore } from '../../tests/memory-store/memory-data-store.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../../tests/postgres/postgres-server.ts';
import { median, medianRatio, type Figure, type Measurement } from '../figure.ts';
import { fillTabular, pageTimes, scanNames, type PageTimes } from '../pages/page-cost-rows.ts';
import { organizationId, sensorRows } from '../sensor-rows.ts';

const rowCounts = [10_000, 1_000_000] as const;
const pagesEach = 101;
const uploadRows = 1000;
const uploadsEach = 20;
const rounds = 7;

export const figure: Figure = {
  title:
    'PostgreSQL: a page of 50 readings out of 1,000,000 against one out of 10,000, and uploads against a bare COPY',
  limitMinutes: 20,
  async measure({ note, at }) {
    if (!hasPostgres) {
      note('left out: there is no PostgreSQL here');
      return [];
    }
    // as it is installed: commits wait for the disk
    const server = await startPostgres({ shared_buffers: '256MB', max_wal_size: '4GB' });
    try {
      at('uploads against COPY');
      const ingest = await ingestAgainstCopy(server, note);
      const times: PageTimes[] = [];
      for (const rowCount of rowCounts) {
        at(`pages out of ${rowCount} readings`);
        times.push(await pagesOutOf(server, rowCount, note));
      }
      const [few, many] = times;
      const growth = scanNames.map((name): Measurement => {
        const [fewMs, manyMs] = [median(few![name]!), median(many![name]!)];
        note(`${name}: ${fewMs.toFixed(2)} ms of 10,000, ${manyMs.toFixed(2)} ms of 1,000,000`);
        return { name, value: manyMs / fewMs, unit: '×', atMost: 3 };
      });
      return [...ingest, ...growth];
    } finally {
      await server.stop();
    }
  },
};

const noBlobs = memoryDataStore({ now: () => 0 }).blobs;

async function pagesOutOf(server: PostgresServer, rowCount: number, note: (text: string) => void): Promise<PageTimes> {
  const { url } = await server.createDatabase();
  const store = await openPostgresDataStore(url, noBlobs);
  const database = new PostgresDatabase(url, { statementTimeoutMs: 600_000 });
  try {
    const startMs = performance.now();
    await fillTabular(store, rowCount);
    const seconds = (performance.now() - startMs) / 1000;
    await database.rows('VACUUM ANALYZE'); // as the server does by itself within a minute
    const [size] = await database.rows('SELECT pg_database_size(current_database()) AS bytes');
    const bytes = (size!['bytes'] as number) / rowCount;
    note(`${rowCount} readings: ${Math.round(rowCount / seconds)} a second, ${bytes.toFixed(0)} bytes each`);
    return await pageTimes(store, rowCount, pagesEach);
  } finally {
    await Promise.all([store.close(), database.close()]);
  }
}

/** Uploads of a thousand readings, one after the other, against COPY of the same rows from a file into a table with the same indexes. */
async function ingestAgainstCopy(server: PostgresServer, note: (text: string) => void): Promise<Measurement[]> {
  const { url } = await server.createDatabase();
  const store = await openPostgresDataStore(url, noBlobs);
  const database = new PostgresDatabase(url);
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-copy-'));
  try {
    await chmod(folder, 0o755); // the server reads it as another user
    await database.write((statements) =>
      statements.run(
        'CREATE TABLE copied (LIKE tabular_captures INCLUDING ALL); CREATE TABLE bare (LIKE tabular_captures)',
      ),
    );
    const [stored, copied, bare]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < rounds; round++) {
      const uploads = Array.from({ length: uploadsEach }, (_, n) =>
        sensorRows((round * uploadsEach + n) * uploadRows, uploadRows),
      );
      const files = await Promise.all(
        uploads.map(async (rows, n) => {
          const path = join(folder, String(n));
          await writeFile(path, rows.map(copyLine).join(''));
          return path;
        }),
      );
      stored.push(
        await timed(async () => {
          for (const [n, rows] of uploads.entries()) {
            const uploadId = `${round}-${n}`;
            const receipt = {
              organizationId,
              uploadId,
              fromClient: true,
              fileId: uploadId,
              binaryDataId: '',
              timeSynced: 0,
            };
            await store.tabular.insert(rows, receipt);
          }
        }),
      );
      for (const [table, times] of [
        ['copied', copied],
        ['bare', bare],
      ] as const) {
        times.push(
          await timed(async () => {
            for (const path of files) await database.rows(`COPY ${table} FROM '${path}'`);
          }),
        );
      }
    }
    const perSecond = (times: readonly number[]): string =>
      `${Math.round((uploadsEach * uploadRows * 1000) / median(times))} readings a second`;
    note(`uploads of ${uploadRows}: ${perSecond(stored)}; COPY into the same indexes: ${perSecond(copied)}`);
    note(`COPY into a table without indexes: ${perSecond(bare)}`);
    return [
      { name: 'uploads over COPY into the same indexes', value: medianRatio(copied, stored), unit: '×', atLeast: 0.5 },
      { name: 'uploads over COPY without indexes', value: medianRatio(bare, stored), unit: '×' },
    ];
  } finally {
    await Promise.all([store.close(), database.close(), rm(folder, { recursive: true })]);
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

/** In the order of the columns of tabular_captures. */
function copyLine({ timeRequested, id, timeReceived, timeSynced, sizeBytes, payload }: TabularRow): string {
  const text = payloadText(payload)!.replaceAll('\\', '\\\\');
  return `${[organizationId, 1, timeRequested, id, timeReceived, timeSynced, sizeBytes, text, '\\N'].join('\t')}\n`;
}
