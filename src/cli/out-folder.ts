import { mkdir } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { CliError, reportOf } from './cli-error.ts';

/**
 * Makes a folder for pictures and says where the picture of each frame goes: under the frame's own name, with a number behind it where
 * two frames share one, so that none overwrites another.
 *
 * @throws CliError when the folder cannot be made
 */
export async function outFolder(folder: string, framePaths: readonly string[]): Promise<(index: number) => string> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    throw new CliError('not-writable', `The folder "${folder}" cannot be made. ${reportOf(cause).message}`, { cause });
  }
  const taken = new Set<string>();
  const names = framePaths.map((path) => {
    const { name } = parse(path);
    let free = name;
    for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${name}-${number}`;
    taken.add(free.toLowerCase());
    return free;
  });
  return (index) => join(folder, `${names[index]!}.png`);
}
