import { randomUUID } from 'node:crypto';
import { readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { runSightglass } from './run-sightglass.ts';
import { seededUploads, send } from './seeded-uploads.ts';
import { authenticatedClients } from './server-clients.ts';
import { describeShared } from './shared-places.ts';

const hourMs = 60 * 60 * 1000;
const yesterdayMs = 25 * hourMs;

describeShared('sightglass check, of a database and a bucket', (places) => {
  it('names each row without its bytes and each blob without a row, beside a host that serves them', async () => {
    const store = await places().newStore();
    const host = await store.startHost();
    const clients = await authenticatedClients(host.origin, host.firstStart!, 'grpc');
    const uploads = seededUploads(5, 60).filter(({ kind, size }) => kind !== 'tabular' && size > 1);
    const ids: string[] = [];
    for (const upload of uploads) ids.push(await send(clients, upload, host.firstStart!.partId));
    const check = () => runSightglass(['check', ...store.args, '--check-rate', '1GB'], store.environment);

    const fileBytes = uploads.reduce((total, { size }) => total + size, 0);
    const well = { files: ids.length, fileBytes, damagedFiles: 0, orphanBlobs: 0, blobsUnderWay: 0, stoppedBy: null };
    expect(await check()).toMatchObject({ code: 0, lines: [well] });

    const client = new pg.Client({ connectionString: store.environment['SIGHTGLASS_DATABASE'] });
    await client.connect();
    const rows = await client.query<{ id: string; blob_address: string }>(
      'SELECT id, blob_address FROM binary_captures ORDER BY id',
    );
    await client.end();
    const [lost, resized, changed] = rows.rows.map(({ id, blob_address: blob }) => ({
      id,
      blob,
      path: join(store.blobFolder, blob),
    })) as [Damaged, Damaged, Damaged];
    await rm(lost.path);
    await truncate(resized.path, 1);
    const bytes = await readFile(changed.path);
    bytes[bytes.length - 1]! ^= 1;
    await writeFile(changed.path, bytes);
    const [old, young, later] = [randomUUID(), randomUUID(), randomUUID()];
    for (const blob of [old, young, later]) await writeFile(join(store.blobFolder, blob), 'left behind');
    // the last one is as of an upload that begins during the check; a store tells ages in whole seconds
    for (const [blob, ageMs] of [
      [old, yesterdayMs],
      [young, hourMs],
      [later, -hourMs],
    ] as const) {
      const then = new Date(Date.now() - ageMs);
      await utimes(join(store.blobFolder, blob), then, then);
    }

    const { code, lines } = await check();
    expect(code).toBe(1);
    const inAnyOrder = (list: readonly unknown[]) => new Set(list.map((one) => JSON.stringify(one)));
    expect(inAnyOrder(lines.flatMap(({ file, fault, blob }) => (file ? [{ file, fault, blob }] : [])))).toEqual(
      inAnyOrder([
        { file: lost.id, fault: 'lost', blob: lost.blob },
        { file: resized.id, fault: 'resized', blob: resized.blob },
        { file: changed.id, fault: 'changed', blob: changed.blob },
      ]),
    );
    expect(inAnyOrder(lines.flatMap(({ blob, state }) => (state ? [{ blob, state }] : [])))).toEqual(
      inAnyOrder([
        { blob: old, state: 'orphan' },
        { blob: young, state: 'under way' },
      ]),
    );
    expect(lines.at(-1)).toEqual({
      checked: expect.stringContaining('s3://sightglass/'),
      ...well,
      damagedFiles: 3,
      orphanBlobs: 1,
      blobsUnderWay: 1,
    });
    expect(JSON.stringify(lines)).not.toContain('opensesame');
  });

  it('says where there is no data, and makes none', async () => {
    const { args, environment } = await places().newStore();
    const { code, lines } = await runSightglass(['check', ...args], environment);
    expect([code, lines]).toEqual([
      1,
      [
        {
          error: {
            code: 'not-found',
            message: expect.stringContaining('There is no data of Sightglass in the database'),
          },
        },
      ],
    ]);
    const client = new pg.Client({ connectionString: environment['SIGHTGLASS_DATABASE'] });
    await client.connect();
    const { rows } = await client.query("SELECT 1 FROM pg_tables WHERE schemaname = 'public'");
    await client.end();
    expect(rows).toEqual([]);
  });
});

interface Damaged {
  readonly id: string;
  readonly blob: string;
  readonly path: string;
}
