import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  baseNameOf,
  contentOf,
  type DatasetEntry,
  type DatasetItem,
  DatasetReport,
} from '../../../evidence/datasets/face/items.ts';
import { exportDataset } from '../../../evidence/datasets/face/formats.ts';
import { safeStem } from '../../../evidence/datasets/face/files.ts';
import type { FootageFrame } from '../../../evidence/footage/footage-frame.ts';
import { footageItem } from '../../../evidence/footage/footage-item.ts';
import { framesWithPictures } from '../../../evidence/footage/run-footage.ts';
import { resultsCsv, resultsCsvHead } from '../../../evidence/footage/results-csv.ts';
import type { ServiceFilter } from '../../../machine/vision/face/filters.ts';
import { pngOf } from '../../../platform/node/frame-file.ts';
import { pixelsOf } from '../../../machine/vision/face/runs.ts';
import type { RunArguments } from '../run-record.ts';
import type { Footage, SourceFrame } from './open-footage.ts';
import type { RunMachine } from './run-machine.ts';
import type { RunRecord } from './run-record.ts';

/** A run whose frames are all there, and what is to be made of it. */
export interface FinishedRun {
  readonly command: RunArguments;
  readonly machine: RunMachine;
  readonly footage: Footage;
  readonly record: RunRecord;
  readonly filter: ServiceFilter;
}

/** Under its name only once it is whole. */
export async function writeWhole(path: string, write: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = `${path}.part`;
  await rm(unfinished, { recursive: true, force: true });
  await write(unfinished);
  await rm(path, { recursive: true, force: true });
  await rename(unfinished, path);
}

/** What the filter in force keeps, as CSV. */
export async function writeResults(path: string, { record, machine, filter }: FinishedRun): Promise<void> {
  async function* lines(): AsyncGenerator<string> {
    yield resultsCsvHead;
    for await (const frame of record.frames()) {
      const text = resultsCsv(frame, machine.steps, filter);
      if (text !== '') yield text;
    }
  }
  await writeWhole(path, (unfinished) => pipeline(Readable.from(lines()), createWriteStream(unfinished)));
}

/** Each frame that gave results with its picture, decoded once more. One is in memory. */
export async function* framesWithResults(
  { footage, record }: FinishedRun,
  signal: AbortSignal,
): AsyncGenerator<readonly [FootageFrame, SourceFrame]> {
  for await (const [frame, source] of framesWithPictures(record.frames(), footage.frames(null, signal))) {
    signal.throwIfAborted();
    if (!frame.failure) yield [frame, source];
  }
  signal.throwIfAborted();
}

/** @returns how many pictures the dataset has, and what its format has no place for, in words */
export async function writeDataset(
  folder: string,
  run: FinishedRun,
  chosen: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<{ readonly pictures: number; readonly notes: readonly string[] }> {
  const { source } = run.footage;
  const report = new DatasetReport();
  await writeWhole(folder, async (unfinished) => {
    await mkdir(unfinished);
    const entries = exportDataset(run.command.dataset!.format, items(run, chosen, signal), {
      datasetName: source.name,
      report,
    });
    for await (const entry of entries) await writeEntry(unfinished, entry);
  });
  return { pictures: report.imageCount, notes: report.problems.map(({ message }) => message) };
}

async function* items(run: FinishedRun, chosen: ReadonlySet<number>, signal: AbortSignal): AsyncGenerator<DatasetItem> {
  const { machine, filter, footage } = run;
  const stem = safeStem(footage.source.name.replace(/\.[^.]*$/, ''));
  for await (const [frame, source] of framesWithResults(run, signal)) {
    if (!chosen.has(frame.index)) continue;
    const { read, bytes } = source.image;
    const picture = bytes
      ? { fileName: baseNameOf(source.name), content: contentOf(await bytes()) }
      : {
          fileName: `${stem}-${String(frame.index).padStart(6, '0')}.png`,
          content: contentOf(pngOf(pixelsOf(await read()))),
        };
    yield footageItem(frame, picture, { steps: machine.steps, filter, source: footage.source });
  }
}

async function writeEntry(folder: string, { path, content }: DatasetEntry): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await pipeline(Readable.from(content.read()), createWriteStream(file));
}

export const writeText = (path: string, text: string): Promise<void> =>
  writeWhole(path, (unfinished) => writeFile(unfinished, text));
