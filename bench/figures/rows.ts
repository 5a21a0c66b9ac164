import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@connectrpc/connect';
import { DataService } from '../../src/gen/app/data/v1/data_pb.ts';
import { openSqliteDataStore } from '../../src/platform/node/sqlite-data-store/open-sqlite-data-store.ts';
import type { BenchTools, Figure, Measurement } from '../figure.ts';
import { fillTabular } from '../pages/page-cost-rows.ts';
import type { WrittenFile } from '../pages/written-file.ts';
import { startRealServer, type RealServer } from '../real-server.ts';

// With fewer rows the heap does not reach the size at which garbage is collected.
const [fewRows, manyRows] = [300_000, 1_000_000];
/** The limit of the command's heap, within which a million rows must still be written. */
const heapMb = 128;
const formats = ['parquet', 'csv', 'jsonl'] as const;
const sampleMs = 50;

export const figure: Figure = {
  title:
    'files of 1,000,000 rows: time over reading alone, and memory over that of 300,000 rows, in a terminal and on a page',
  limitMinutes: 40,
  async measure(tools) {
    return [...(await inTerminal(tools)), ...(await onPage(tools))];
  },
};

async function inTerminal({ root, note, at }: BenchTools): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sightglass-rows-'));
  const server = await startRealServer(root, join(folder, 'data'));
  try {
    at('filling the store');
    const { organizationId, partId } = server;
    const store = await openSqliteDataStore(join(folder, 'data'), { now: () => Date.now() * 1000 });
    await fillTabular(store, manyRows, { organizationId, partId, componentName: 'oven' });
    await store.close();
    await writeFile(join(folder, 'key'), server.key);
    const read = await secondsOf(() => readAll(server));
    note(`reading alone: ${read.toFixed(1)} s`);
    const measurements: Measurement[] = [];
    const readings = ['--part', partId, '--resource', 'oven', '--resource-type', 'rdk:component:sensor'];
    const sql = ['--org', organizationId, '--sql'];
    const asked = [
      ...formats.map((format) => ({
        name: `readings as ${format}`,
        format,
        few: [...readings, '--to', endOfFew],
        many: readings,
      })),
      {
        name: 'a query as parquet',
        format: 'parquet',
        few: [...sql, `SELECT * FROM readings LIMIT ${fewRows}`],
        many: [...sql, 'SELECT * FROM readings'],
      },
    ];
    for (const { name, format, few, many } of asked) {
      at(`in a terminal: ${name}`);
      const run = (argv: readonly string[], rows: number) => exported(root, server, folder, format, argv, rows);
      const small = await run(few, fewRows);
      const large = await run(many, manyRows);
      note(
        `${name}: ${large.seconds.toFixed(1)} s, ${(large.bytes / 1e6).toFixed(0)} MB; at most ${large.highestMb.toFixed(0)} MB of memory, ${small.highestMb.toFixed(0)} MB of 300,000`,
      );
      measurements.push(
        { name: `${name}: time over reading alone`, value: large.seconds / read, unit: '×' },
        {
          name: `${name}: memory over that of 300,000`,
          value: large.highestMb / small.highestMb,
          unit: '×',
          atMost: 1.25,
        },
      );
    }
    return measurements;
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
}

/** Before this time are `fewRows` readings: `fillTabular` stores one for each second. */
const endOfFew = new Date(1_700_000_000_000 + fewRows * 1000).toISOString();

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return (performance.now() - startMs) / 1000;
}

async function readAll({ transport, partId }: RealServer): Promise<void> {
  const request = { partId, resourceName: 'oven', resourceSubtype: 'rdk:component:sensor', methodName: 'Readings' };
  let count = 0;
  for await (const _ of createClient(DataService, transport).exportTabularData(request)) count++;
  if (count !== manyRows) throw new Error(`${count} rows were read instead of ${manyRows}.`);
}

async function exported(
  root: string,
  { url, keyId }: RealServer,
  folder: string,
  format: string,
  argv: readonly string[],
  rows: number,
) {
  const path = join(folder, `rows.${format}`);
  const key = ['--key-id', keyId, '--key-file', join(folder, 'key')];
  const heap = `--max-old-space-size=${heapMb}`;
  const args = [heap, `${root}bin/sightglass.js`, 'export', '--server', url, ...key, '--out', path, ...argv];
  const startMs = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let told = '';
  child.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()));
  const memory = sampled(async () => memoryMb(child.pid!));
  const [code] = (await once(child, 'close')) as [number];
  const highestMb = await memory.end();
  if (code !== 0 || (JSON.parse(told) as { rows: number }).rows !== rows)
    throw new Error(`The export ended with code ${code}: ${told}`);
  return { seconds: (performance.now() - startMs) / 1000, bytes: (await stat(path)).size, highestMb };
}

async function onPage({ measureOnDisk, note, at }: BenchTools): Promise<Measurement[]> {
  const measured = async (rowCount: number, format: string) => {
    at(`on the page: ${rowCount} rows as ${format}`);
    const memory = sampled(browserMb);
    const written = await measureOnDisk<WrittenFile>('row-files', rowCount, format);
    return { ...written, highestMb: await memory.end() };
  };
  const bare = await measured(manyRows, 'bare');
  note(`columns of known types alone: ${(bare.ms / 1000).toFixed(1)} s`);
  const measurements: Measurement[] = [];
  for (const format of formats) {
    const [few, many] = [await measured(fewRows, format), await measured(manyRows, format)];
    note(
      `on the page as ${format}: ${(many.ms / 1000).toFixed(1)} s, ${(many.bytes / 1e6).toFixed(0)} MB; at most ${many.highestMb.toFixed(0)} MB of all processes of the browser, ${few.highestMb.toFixed(0)} MB of 300,000`,
    );
    measurements.push(
      { name: `page, ${format}: time over columns of known types alone`, value: many.ms / bare.ms, unit: '×' },
      {
        name: `page, ${format}: memory over that of 300,000`,
        value: many.highestMb / few.highestMb,
        unit: '×',
        atMost: 1.25,
      },
    );
  }
  return measurements;
}

/** Measures again and again until it is ended; returns the highest value. */
function sampled(measure: () => Promise<number>): { end(): Promise<number> } {
  let [highest, isOver] = [0, false];
  const sampling = (async () => {
    while (!isOver) {
      highest = Math.max(highest, await measure());
      await new Promise((resolve) => setTimeout(resolve, sampleMs));
    }
  })();
  return {
    async end() {
      isOver = true;
      await sampling;
      return highest;
    },
  };
}

/** Resident memory of a process in MiB, without pages of files. */
async function memoryMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** Resident memory in MiB of all browser processes that descend from this one. */
async function browserMb(): Promise<number> {
  const parents = new Map<number, number>();
  const browsers = new Set<number>();
  for (const name of await readdir('/proc')) {
    const text = /^\d+$/.test(name) ? await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '') : '';
    const [, command = '', parent = ''] = /\((.*)\) \S (\d+)/s.exec(text) ?? [];
    if (parent === '') continue;
    parents.set(Number(name), Number(parent));
    if (/chrom|headless/i.test(command)) browsers.add(Number(name));
  }
  const descends = (pid: number): boolean => pid === process.pid || (parents.has(pid) && descends(parents.get(pid)!));
  const own = [...browsers].filter(descends);
  return (await Promise.all(own.map(memoryMb))).reduce((sum, mb) => sum + mb, 0);
}
