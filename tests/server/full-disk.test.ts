import { execFileSync } from 'node:child_process';
import { mkdir, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { codeOf } from '../data-service-fixture.ts';
import { seededUploads, send } from './seeded-uploads.ts';
import { authenticatedClients } from './server-clients.ts';
import { startServerProcess, temporaryFolder } from './server-process.ts';

function mayMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
}

/** Mounts a small disk. */
async function smallDisk(megabytes: number): Promise<string> {
  const folder = join(await temporaryFolder(), 'disk');
  await mkdir(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return folder;
}

const fill = async (folder: string): Promise<void> => {
  const { bavail, bsize } = await statfs(folder);
  await writeFile(join(folder, 'of-others'), Buffer.alloc(bavail * bsize, 1)).catch(() => undefined);
};

it.skipIf(!mayMount())('deletes on a disk that others have filled to its last byte, and stores again', async () => {
  const disk = await smallDisk(200);
  const folder = join(disk, 'data');
  const server = await startServerProcess(folder, { args: ['--keep-free', '1MB'] });
  const clients = await authenticatedClients(server.origin, server.firstStart!, 'grpc');
  const { partId, organizationId } = server.firstStart!;
  const uploads = seededUploads(3, 40);
  for (const upload of uploads) await send(clients, upload, partId);
  const { count: files } = await clients.data.binaryDataByFilter({ countOnly: true });
  expect(files).toBeGreaterThan(0n);

  await fill(disk);
  expect((await statfs(disk)).bavail).toBe(0);
  await expect.poll(async () => (await fetch(`${server.origin}/readyz`)).status).toBe(503);
  expect(await codeOf(send(clients, { uploadId: 'more', kind: 'file', size: 100 }, partId))).toBe('ResourceExhausted');
  const filter = { organizationIds: [organizationId] };
  expect((await clients.data.deleteBinaryDataByFilter({ filter })).deletedCount).toBe(files);
  expect(await codeOf(clients.data.deleteTabularData({ organizationId, deleteOlderThanDays: 0 }))).toBe('ok');
  expect((await clients.data.tabularDataByFilter({ countOnly: true })).count).toBe(0n);

  await expect.poll(async () => (await fetch(`${server.origin}/readyz`)).status).toBe(200);
  expect(await codeOf(send(clients, { uploadId: 'more', kind: 'file', size: 100 }, partId))).toBe('ok');
  expect(await server.end('SIGTERM')).toBe(0);
  expect(server.stderr()).not.toContain('"a defect"');
});

it.skipIf(!mayMount())('starts on a disk without a byte left, to be deleted from', async () => {
  const disk = await smallDisk(200);
  const folder = join(disk, 'data');
  const first = await startServerProcess(folder, { args: ['--keep-free', '1MB'] });
  const { organizationId, partId } = first.firstStart!;
  const clients = await authenticatedClients(first.origin, first.firstStart!, 'grpc');
  for (const upload of seededUploads(5, 10)) await send(clients, upload, partId);
  expect(await first.end('SIGTERM')).toBe(0); // the exit also checkpoints the database's log
  await fill(disk);
  const second = await startServerProcess(folder, { args: ['--keep-free', '1MB'] });
  const again = await authenticatedClients(second.origin, first.firstStart!, 'grpc');
  const filter = { organizationIds: [organizationId] };
  expect((await again.data.deleteBinaryDataByFilter({ filter })).deletedCount).toBeGreaterThan(0n);
});
