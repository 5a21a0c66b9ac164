import { execFile } from 'node:child_process';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { binPath, startServerProcess, temporaryFolder } from './server-process.ts';

/** Runs a `sightglass serve` that is expected to fail; returns its exit code and error. */
function serveInVain(folder: string): Promise<{ code: unknown; error: { code: string; message: string } }> {
  const argv = [binPath, 'serve', '--data', folder, '--port', '0'];
  return new Promise((resolve) => {
    execFile(process.execPath, argv, (ended, stdout) => {
      resolve({ code: ended?.code, ...(JSON.parse(stdout) as { error: { code: string; message: string } }) });
    });
  });
}

it('a folder has one server: the next is refused in words that name it, until it is gone, however it ended', async () => {
  const folder = await temporaryFolder();
  const first = await startServerProcess(folder);
  const { code, error } = await serveInVain(folder);
  expect([code, error.code]).toEqual([1, 'unavailable']);
  expect(error.message).toContain(
    `"${folder}" is served already, by process ${first.process.pid} at ${first.origin}/.`,
  );
  expect(error.message).toMatch(/another folder by --data/);
  expect((await fetch(`${first.origin}/readyz`)).status).toBe(200);
  expect(await first.end('SIGKILL')).toBe('SIGKILL');
  const second = await startServerProcess(folder);
  expect(await second.end('SIGTERM')).toBe(0);
  expect(await readdir(folder)).not.toContain('server.json');
  await startServerProcess(folder);
});

it.each([
  ['has no header', 0],
  ['has no schema', 100],
])('a database that %s is named, with the cure', async (_, at) => {
  const folder = await temporaryFolder();
  const server = await startServerProcess(folder);
  expect(await server.end('SIGTERM')).toBe(0);
  const path = join(folder, 'sightglass.db');
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(2000, 0xa5), 0, 2000, at);
  await file.close();
  const { code, error } = await serveInVain(folder);
  expect([code, error.code]).toEqual([1, 'damaged']);
  expect(error.message).toContain(`"${path}" is damaged`);
  expect(error.message).toMatch(/sightglass restore BACKUP --data FOLDER.*sqlite3 .* \.recover/);
});
