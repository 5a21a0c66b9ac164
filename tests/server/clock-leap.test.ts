import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { uploadReading } from '../data-service-fixture.ts';
import { authenticatedClients } from './server-clients.ts';
import { binPath, startServerProcess, temporaryFolder, type ServerProcess } from './server-process.ts';

const day = 86_400_000;
const keep = { args: ['--keep', '30d'] };

const leapOf = async ({ origin }: ServerProcess): Promise<number> => {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return Number(/^sightglass_clock_leap_seconds (\d+)$/m.exec(text)![1]);
};

it('deletes nothing by age after the clock went on by more than a day, until a person says that it is right', async () => {
  const folder = await temporaryFolder();
  const first = await startServerProcess(folder);
  const home = first.firstStart!;
  const clients = await authenticatedClients(first.origin, home, 'grpc');
  await uploadReading(clients, { kg: 1 }, (Date.now() - 60 * day) * 1000, { partId: home.partId });
  await first.end('SIGTERM');

  const clockFile = join(folder, 'clock.json');
  expect(await readFile(clockFile, 'utf8')).toContain('"lastSeen"');
  await writeFile(clockFile, JSON.stringify({ lastSeen: new Date(Date.now() - 2 * day).toISOString() }));
  const leapt = await startServerProcess(folder, keep);
  const counting = async ({ origin }: ServerProcess): Promise<() => Promise<bigint>> => {
    const { data } = await authenticatedClients(origin, home, 'grpc');
    return async () => (await data.tabularDataByFilter({ countOnly: true })).count;
  };
  await vi.waitUntil(() => leapt.stderr().includes('the clock went on by more than a day'), { timeout: 20_000 });
  expect(await leapOf(leapt)).toBeGreaterThan(86_400);
  expect(await (await counting(leapt))()).toBe(1n);
  await leapt.end('SIGTERM');

  const said = execFileSync(process.execPath, [binPath, 'clock', 'confirm', '--data', folder], { encoding: 'utf8' });
  expect(JSON.parse(said)).toMatchObject({ clock: 'confirmed' });
  const confirmed = await startServerProcess(folder, keep);
  const count = await counting(confirmed);
  await vi.waitUntil(async () => (await count()) === 0n, { timeout: 20_000 });
  expect(await leapOf(confirmed)).toBe(0);
});
