import { mkdir } from 'node:fs/promises';
import { basename, dirname, join, parse, resolve } from 'node:path';
import { CliError, reportOf } from '../record/cli-error.ts';

/**
 * Makes a folder for pictures and says where the picture of each frame goes: under the frame's own name, with a number behind it where
 * two frames share one or a frame itself lies there, so that nothing overwrites a frame or another picture.
 *
 * @throws CliError when the folder cannot be made
 */
export async function outFolder(folder: string, framePaths: readonly string[]): Promise<(index: number) => string> {
  await makeFolder(folder);
  // In lower case: names that differ in case alone are one file on some systems.
  const isInFolder = (path: string): boolean => resolve(dirname(path)) === resolve(folder);
  const taken = new Set(framePaths.filter(isInFolder).map((path) => basename(path).toLowerCase()));
  const fileNames = framePaths.map((path) => {
    const { name } = parse(path);
    let free = `${name}.png`;
    for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${name}-${number}.png`;
    taken.add(free.toLowerCase());
    return free;
  });
  return (index) => join(folder, fileNames[index]!);
}

/** @throws CliError not-writable */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    throw new CliError('not-writable', `The folder "${folder}" cannot be made. ${reportOf(cause).message}`, { cause });
  }
}
