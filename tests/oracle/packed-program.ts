import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { chmod, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Whether the archive exists and its program can run here: Linux on amd64, with `xz` for unpacking. */
export function canUnpack(archive: string): boolean {
  return process.platform === 'linux' && process.arch === 'x64' && existsSync(archive) && runs('xz', '--version');
}

export function runs(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** Returns the path of the unpacked program: one copy for each archive in the temporary folder, renamed only after it is complete. */
export async function unpackProgram(archive: string): Promise<string> {
  const program = join(tmpdir(), `sightglass-${basename(archive, '.xz')}-${await sha256(archive)}`);
  if (existsSync(program)) return program;
  const { stdout, status } = spawnSync('xz', ['-dc', archive], { maxBuffer: 1 << 30 });
  if (status !== 0) throw new Error(`xz cannot unpack ${archive}: it ended with ${status}.`);
  const unfinished = `${program}.${process.pid}.part`;
  await writeFile(unfinished, stdout);
  await chmod(unfinished, 0o755);
  await rename(unfinished, program);
  return program;
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex').slice(0, 16);
}
