import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DataService } from '../../src/gen/app/data/v1/data_pb.ts';
import { openSqliteDataStore } from '../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import { systemClock } from '../../src/server/start-data-host.ts';
import { logIn, serveForTest, type TestServer } from '../../src/server/test-server.ts';
import { codeOf, startDataService, uploadPicture } from '../data-service-fixture.ts';
import { binPath, startServerProcess, temporaryFolder, type ServerProcess } from './server-process.ts';

async function metric({ origin }: Pick<TestServer, 'origin'>, line: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return Number(
    text
      .split('\n')
      .find((one) => one.startsWith(`${line} `))!
      .split(' ')[1],
  );
}

it('tells of a file whose bytes were changed or removed on the disk, and serves everything else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-health-'));
  const store = await openSqliteDataStore(folder, systemClock);
  onTestFinished(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  const server = await serveForTest({ service: { store } });
  const { owner, defects } = server.service;
  const content = 'a picture '.repeat(40_000);
  const id = await uploadPicture(owner, {}, 1e15, content);
  const headers = await logIn(server);
  const data = createClient(DataService, createGrpcTransport({ baseUrl: server.origin }));
  const byId = () => codeOf(data.binaryDataByIDs({ binaryDataIds: [id], includeBinary: true }, { headers }));
  const download = async () => (await fetch(`${server.origin}/data/files/${id}`, { headers })).status;
  expect([await byId(), await download()]).toEqual(['ok', 200]);

  const files = await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true });
  const file = files.find((entry) => entry.isFile())!;
  const path = join(file.parentPath, file.name);
  await writeFile(path, content.replace('a', 'b'));
  expect([await byId(), await download()]).toEqual(['DataLoss', 500]);
  await rm(path);
  expect([await byId(), await download()]).toEqual(['DataLoss', 500]);
  await writeFile(path, content);
  expect([await byId(), await download()]).toEqual(['ok', 200]);

  expect(defects).toHaveLength(4);
  expect(await metric(server, 'sightglass_damage_total{what="file"}')).toBe(4);
  expect(await metric(server, 'sightglass_damaged_files')).toBe(1);
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
});

async function folderWithFiles(): Promise<{ readonly folder: string; readonly ids: readonly string[] }> {
  const folder = await temporaryFolder();
  const store = await openSqliteDataStore(folder, systemClock);
  const { owner } = await startDataService({ store });
  const ids: string[] = [];
  for (let n = 0; n < 40; n++) ids.push(await uploadPicture(owner, {}, 1e15 + n, `picture ${n}`));
  await store.close();
  return { folder, ids };
}
async function pathsOf(folder: string): Promise<string[]> {
  const files = await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true });
  return files.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

describe('sightglass check', () => {
  const linesOf = ({ stdout }: { readonly stdout: string }) =>
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const check = (folder: string) =>
    spawnSync(process.execPath, [binPath, 'check', '--data', folder], { encoding: 'utf8' });

  it('says that all is well, and which files are hit where it is not', async () => {
    const { folder, ids } = await folderWithFiles();
    const before = check(folder);
    expect(before.status).toBe(0);
    const well = { damagedFiles: 0, orphanBlobs: 0, blobsUnderWay: 0, database: 'well', stoppedBy: null };
    expect(linesOf(before)).toEqual([{ checked: folder, files: 40, fileBytes: 390, ...well }]);
    const [lost, changed] = await pathsOf(folder);
    await rm(lost!);
    await writeFile(changed!, (await readFile(changed!, 'utf8')).replace('picture', 'pixture'));
    const after = check(folder);
    expect(after.status).toBe(1);
    const lines = linesOf(after);
    expect(lines).toHaveLength(3);
    expect(new Set(lines.slice(0, 2).map(({ fault }) => fault))).toEqual(new Set(['lost', 'changed']));
    for (const { file, blob, fault } of lines.slice(0, 2)) {
      expect(ids).toContain(file);
      expect(fault === 'lost' ? lost : changed).toContain(blob);
    }
    expect(lines[2]).toMatchObject({ files: 40, damagedFiles: 2, database: 'well' });
  });

  it('names bytes that no file owns: those of an upload that may be under way, and older ones; neither is damage', async () => {
    const { folder } = await folderWithFiles();
    const [copied] = await pathsOf(folder);
    const besides = () => copied!.slice(0, -randomUUID().length) + randomUUID();
    const [old, young, later] = [besides(), besides(), besides()];
    for (const path of [old, young, later]) await writeFile(path, 'left behind');
    const hour = 60 * 60;
    const now = Date.now() / 1000;
    await utimes(old, now - 25 * hour, now - 25 * hour);
    await utimes(later, now + hour, now + hour); // as one of an upload that begins during the check
    const checked = check(folder);
    expect(checked.status).toBe(0);
    const lines = linesOf(checked);
    const states = new Map(lines.slice(0, -1).map(({ blob, state }) => [blob, state]));
    expect(states).toEqual(
      new Map([
        [basename(old), 'orphan'],
        [basename(young), 'under way'],
      ]),
    );
    expect(lines.at(-1)).toMatchObject({ files: 40, orphanBlobs: 1, blobsUnderWay: 1 });
  });

  it('says what is wrong with a database, and does not write to it', async () => {
    const { folder } = await folderWithFiles();
    const path = join(folder, 'sightglass.db');
    const bytes = await readFile(path);
    bytes.fill(0x5a, 8 * 4096, Math.min(bytes.length, 40 * 4096));
    await writeFile(path, bytes);
    const checked = check(folder);
    expect(checked.status).toBe(1);
    const lines = linesOf(checked);
    expect(lines[0]).toMatchObject({ database: path, problem: expect.any(String) });
    expect(lines.at(-1)).toMatchObject({ database: 'damaged' });
    expect((await readFile(path)).equals(bytes)).toBe(true);
  });

  it('names the folder that has no data', async () => {
    const folder = await temporaryFolder();
    expect(check(folder)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('There is no data of Sightglass'),
    });
  });
});

describe('a running server', () => {
  const defects = (server: ServerProcess) =>
    server
      .stderr()
      .split('\n')
      .filter((line) => line.includes('"a defect"'));
  const hasEnded = (server: ServerProcess) => server.stderr().includes('the check of files came to its end');

  it('finds a flipped byte by itself, logs and counts it, and so does the next server', async () => {
    const { folder, ids } = await folderWithFiles();
    const [path] = await pathsOf(folder);
    const bytes = await readFile(path!);
    bytes[0]! ^= 1;
    await writeFile(path!, bytes);
    const first = await startServerProcess(folder);
    await vi.waitUntil(() => hasEnded(first), { timeout: 20_000 });
    const [said, ...more] = defects(first);
    expect(more).toEqual([]);
    const { operation, err } = JSON.parse(said!) as { operation: string; err: { message: string } };
    expect(operation).toBe('check of files');
    expect(ids.filter((id) => err.message.includes(id))).toHaveLength(1);
    expect(await metric(first, 'sightglass_damaged_files')).toBe(1);
    expect(await metric(first, 'sightglass_damage_total{what="file"}')).toBe(1);
    expect((await fetch(`${first.origin}/readyz`)).status).toBe(200);
    await first.end('SIGTERM');

    const second = await startServerProcess(folder);
    await vi.waitUntil(() => defects(second).length > 0, { timeout: 20_000 });
    expect(await metric(second, 'sightglass_damaged_files')).toBe(1);
    expect(hasEnded(second)).toBe(false); // the next check runs only tomorrow
    expect(await second.end('SIGTERM')).toBe(0);
  });

  it('reads no file by itself where it is told so', async () => {
    const { folder } = await folderWithFiles();
    const server = await startServerProcess(folder, { args: ['--check-rate', '0'] });
    expect(await server.end('SIGTERM')).toBe(0);
    expect(await readdir(folder)).not.toContain('file-check.json');
  });
});
