import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { CliError } from '../../record/cli-error.ts';
import type { RunArguments } from '../run-record.ts';

/** What a run replaces as a whole. */
const replacedNames = ['dataset', 'annotated', 'annotated.mp4'];

/**
 * Refuses a run whose outputs would replace what it reads, or what no run wrote. Nothing is written before.
 * @throws CliError source-is-output, out-in-frames, not-of-a-run
 */
export async function refuseLoss({ footage, outDir }: Pick<RunArguments, 'footage' | 'outDir'>): Promise<void> {
  const option = footage.kind === 'video' ? '--video' : '--frames';
  const [source, out] = [await realPathOf(footage.path), await realPathOf(outDir)];
  for (const name of replacedNames)
    for (const path of [join(outDir, name), `${join(outDir, name)}.part`])
      if (isWithin(source, await realPathOf(path)))
        throw new CliError(
          'source-is-output',
          `A run overwrites "${path}", and ${option} "${footage.path}" lies there. Give another --out.`,
        );
  if (footage.kind !== 'video' && isWithin(out, source))
    throw new CliError(
      'out-in-frames',
      `--out "${outDir}" lies in --frames "${footage.path}": what is written would be pictures of the next run. Give another --out.`,
    );
  if (await isThere(join(outDir, 'frames.jsonl'))) return;
  for (const path of replacedNames.map((name) => join(outDir, name)))
    if (await isThere(path))
      throw new CliError(
        'not-of-a-run',
        `"${path}" was written by no run of this --out, and a run may replace it. Give another --out, or move it away.`,
      );
}

/** Without links, also of what is not there yet. */
async function realPathOf(path: string): Promise<string> {
  const whole = resolve(path);
  const real = await realpath(whole).catch(() => null);
  return real ?? (dirname(whole) === whole ? whole : join(await realPathOf(dirname(whole)), basename(whole)));
}

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
