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
import { organizationId, sensorRows } from '../sensor-rows.ts';

const uploadRows = 1000;
const uploadsEach = 20;
const rounds = 7;

export const figure: Figure = {
  title: 'PostgreSQL: uploads of readings against a bare COPY',
  async measure({ note }) {
    if (!hasPostgres) {
      note('left out: there is no PostgreSQL here');
      return [];
    }
    // as it is installed: commits wait for the disk
    const server = await startPostgres({ shared_buffers: '256MB', max_wal_size: '4GB' });
    try {
      return await ingestAgainstCopy(server, note);
    } finally {
      await server.stop();
    }
  },
};

/** Uploads of a thousand readings, one after the other, against COPY of the same rows from a file into a table with the same indexes. */
async function ingestAgainstCopy(server: PostgresServer, note: (text: string) => void): Promise<Measurement[]> {
  const { url } = await server.createDatabase();
  const store = await openPostgresDataStore(url, memoryDataStore({ now: () => 0 }).blobs);
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
