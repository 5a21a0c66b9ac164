import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import {
  queryRows,
  type ReadingsRequest,
  readingInstants,
  readingRows,
  sinkOf,
  stagesOfJson,
} from '../../remote/links/rows-link.ts';
import { serverTransport } from '../../remote/links/server-transport.ts';
import { toTimestamp } from '../../remote/outbox/to-timestamp.ts';
import { errorCode } from '../../machine/vision/face/errors.ts';
import { openSpareFile } from '../../platform/node/spare-file.ts';
import { RowFileWriter, type RowFileOptions } from '../../base/row-files/row-file-writer.ts';
import { CliError } from '../record/cli-error.ts';
import { interrupted, interruptedCode } from '../record/interrupted.ts';
import { readTextFile } from '../shared/load-config.ts';
import type { ExportArguments, ExportQuestion } from './export-record.ts';
import { readKey } from '../shared/read-key.ts';
import type { Terminal } from '../shared/run-frames.ts';

/** Rows, read and written, between two messages of progress. */
const rowsAMessage = 100_000;

type Options = Omit<RowFileOptions, 'write' | 'spareFile'>;

/**
 * Runs `sightglass export`: writes readings, or the rows of a query, of a server into a Parquet, CSV or JSONL file, or to stdout. A file
 * appears under its name only when it is complete.
 * @param command parsed arguments
 * @param terminal receives how many rows the file has
 * @param output receives the rows where no file is named
 * @param signal ends the export, and no file is left. Default: Ctrl+C
 * @returns exit code: 0, or 130 where it was broken off
 * @throws CliError, ConnectError
 * @example
 * await exportRows({ key: { id: 'k', filePath: '/missing' } }, { print() {}, say() {} }); // throws: The key cannot be read.
 */
export async function exportRows(
  command: ExportArguments,
  terminal: Terminal,
  output: NodeJS.WritableStream = process.stdout,
  signal: AbortSignal = interrupted(),
): Promise<number> {
  const { format, isExact, outPath } = command;
  const rows = await rowsOf(command, signal);
  let reported = 0;
  const options: Options = {
    format,
    instants: command.question.kind === 'readings' ? readingInstants : [],
    isForSpreadsheets: !isExact,
    onProgress(taken, written) {
      if (taken + written < reported + rowsAMessage) return;
      reported = taken + written;
      terminal.say(`${taken} rows read, ${written} written`);
    },
  };
  try {
    const count = await (outPath === null
      ? writeTo(output, options, rows, signal)
      : writeFile(outPath, options, rows, signal));
    if (count === 0 && command.question.kind === 'readings')
      terminal.say('No reading matches: look at --part, --resource, --resource-type, --method, --from and --to.');
    if (outPath === null) terminal.say(`${count} rows`);
    else terminal.print({ file: outPath, rows: count });
    return 0;
  } catch (error) {
    if (!signal.aborted) throw error;
    terminal.say(outPath === null ? 'Broken off; the output is incomplete.' : 'Broken off; nothing was written.');
    return interruptedCode;
  }
}

async function rowsOf(
  { serverUrl, key, question }: ExportArguments,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const transport = serverTransport(serverUrl, await readKey(key));
  if (question.kind === 'readings') return readingRows(transport, [requestOf(question)], signal);
  const { organizationId } = question;
  if (question.kind === 'sql')
    return queryRows(transport, { case: 'sql', value: { organizationId, sqlQuery: question.sql } }, signal);
  const source = question.pipelineId === null ? {} : sinkOf(question.pipelineId);
  const mqlBinary = await readStages(question.filePath);
  return queryRows(transport, { case: 'mql', value: { organizationId, mqlBinary, ...source } }, signal);
}

/** @throws CliError that names the file */
async function readStages(path: string): Promise<Uint8Array<ArrayBuffer>[]> {
  const text = await readTextFile(path, 'pipeline');
  try {
    return stagesOfJson(text);
  } catch (cause) {
    throw new CliError('bad-pipeline', `"${path}" has no pipeline: ${(cause as Error).message}`, { cause });
  }
}

function requestOf({
  startMs,
  endMs,
  ...resource
}: Extract<ExportQuestion, { readonly kind: 'readings' }>): ReadingsRequest {
  const interval = {
    ...(startMs !== null && { start: toTimestamp(startMs * 1000) }),
    ...(endMs !== null && { end: toTimestamp(endMs * 1000) }),
  };
  return { ...resource, interval };
}

/** Writes a file beside the named one, on the same disk, and renames it at the end. */
async function writeFile(
  path: string,
  options: Options,
  rows: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<number> {
  const partPath = `${path}.${randomUUID()}.part`;
  const file = await open(partPath, 'wx').catch((cause: unknown) => {
    if (errorCode(cause, '') !== 'ENOENT') throw cause;
    throw new CliError('not-found', `There is no folder "${dirname(path)}" to write "${path}" in.`, { cause });
  });
  try {
    const write = (bytes: Uint8Array): Promise<void> => file.appendFile(bytes);
    const count = await written({ ...options, write, spareFile: () => openSpareFile(dirname(path)) }, rows, signal);
    await file.sync();
    await file.close();
    await rename(partPath, path);
    return count;
  } catch (error) {
    await file.close().catch(() => undefined); // it may be closed already
    await rm(partPath, { force: true });
    throw error;
  }
}

async function writeTo(
  output: NodeJS.WritableStream,
  options: Options,
  rows: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<number> {
  const write = async (bytes: Uint8Array): Promise<void> => {
    if (!output.write(bytes)) await once(output, 'drain', { signal });
  };
  return written({ ...options, write, spareFile: () => openSpareFile(tmpdir()) }, rows, signal);
}

async function written(options: RowFileOptions, rows: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number> {
  const writer = new RowFileWriter(options);
  try {
    for await (const bytes of rows) {
      signal.throwIfAborted();
      await writer.add(bytes);
    }
    return await writer.finish(signal);
  } finally {
    await writer.close();
  }
}
