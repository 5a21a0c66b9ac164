import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readDatabaseAddress } from './database-address.ts';

/** A file with this text, as a secret is mounted. */
async function secretFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-secret-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'database');
  await writeFile(path, text);
  return path;
}

it('reads an address with its password from a file', async () => {
  const url = 'postgres://sightglass:opensesame@db/sightglass';
  expect(await readDatabaseAddress({ file: await secretFile(`${url}\n`) })).toBe(url);
});

it('says which file has no address, or is not there, and never what is in it', async () => {
  const file = await secretFile('opensesame');
  const failure: unknown = await readDatabaseAddress({ file }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'bad-database', message: expect.stringContaining(file) });
  expect((failure as Error).message).not.toContain('opensesame');
  await expect(readDatabaseAddress({ file: `${file}-missing` })).rejects.toMatchObject({ code: 'ENOENT' });
});
