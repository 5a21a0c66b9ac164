import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKeyFile, openKeyFile } from './key-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'key-file-'));
});
afterAll(() => rm(folder, { recursive: true }));

// A limit of the shell on the size of files stands for a full disk; without a handler its signal ends the process.
it.skipIf(process.platform === 'win32')('leaves no empty file where the key cannot be written', async () => {
  const path = join(folder, 'full.pem');
  const module = JSON.stringify(new URL('key-file.ts', import.meta.url).href);
  const code = `const { createKeyFile } = await import(${module});
    await createKeyFile(process.argv[1]).then(() => console.log('made'), (error) => console.log(error.code));`;
  const shell = 'trap "" XFSZ; ulimit -f 0; exec "$0" --input-type=module -e "$1" "$2"';
  const { stdout } = await promisify(execFile)('sh', ['-c', shell, process.execPath, code, path]);
  expect([stdout.trim(), await readdir(folder)]).toEqual(['EFBIG', []]);
});

it('never overwrites a file, and says of one that is no key to choose another', async () => {
  const path = join(folder, 'key.pem');
  expect(await createKeyFile(path)).toBe(true);
  expect(await createKeyFile(path)).toBe(false);
  expect((await openKeyFile(path)).publicKey).toHaveLength(65);
  const none = join(folder, 'none.pem');
  await writeFile(none, '', { mode: 0o600 });
  await expect(openKeyFile(none)).rejects.toThrow('Make one in a new file by');
});
