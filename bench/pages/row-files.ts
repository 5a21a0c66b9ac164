import { serialize } from 'bson';
import { joinDocuments } from '../../src/base/row-files/bson-rows.ts';
import { doubleElement, parquetFile, textElement, timeElement } from '../../src/base/row-files/parquet-file.ts';
import type { RowFormat } from '../../src/base/row-files/row-file-writer.ts';
import { writeRows } from '../../workers/row-files/client.ts';
import type { WrittenFile } from './written-file.ts';
import { sensorValues } from '../sensor-rows.ts';

const rowsAPart = 1000;
const startMs = Date.UTC(2026, 0, 1);

const startWorker = (): Worker =>
  new Worker(new URL('../../workers/row-files/entry.ts', import.meta.url), { type: 'module' });

const rowAt = (n: number) => ({ time: new Date(startMs + n * 100), ...sensorValues(n) });

async function* documents(rowCount: number): AsyncGenerator<Uint8Array> {
  for (let first = 0; first < rowCount; first += rowsAPart)
    yield joinDocuments(Array.from({ length: rowsAPart }, (_, n) => serialize(rowAt(first + n))));
}

/** Writes rows as the page does, or, where the format is `bare`, into Parquet columns whose types are known, without a worker. */
async function measure(rowCount: number, format: RowFormat | 'bare'): Promise<WrittenFile> {
  const fromMs = performance.now();
  if (format === 'bare') return { bytes: await bareParquet(rowCount), ms: performance.now() - fromMs };
  const { signal } = new AbortController();
  const { count, file } = await writeRows(startWorker, { format, instants: [] }, documents(rowCount), () => {}, signal);
  if (count !== rowCount) throw new Error(`The file has ${count} rows instead of ${rowCount}.`);
  return { ms: performance.now() - fromMs, bytes: file.size };
}

async function bareParquet(rowCount: number): Promise<number> {
  type SensorRow = ReturnType<typeof rowAt>;
  const number = (name: 'temperature' | 'humidity' | 'count') => ({
    elements: [doubleElement(name, 'REQUIRED')],
    valueOf: (row: SensorRow) => row[name],
  });
  const columns = [
    { elements: [timeElement('time')], valueOf: ({ time }: SensorRow) => BigInt(time.getTime()) * 1000n },
    number('temperature'),
    number('humidity'),
    number('count'),
    { elements: [textElement('state')], valueOf: ({ state }: SensorRow) => state },
    {
      elements: [{ name: 'ok', type: 'BOOLEAN', repetition_type: 'REQUIRED' } as const],
      valueOf: ({ ok }: SensorRow) => ok,
    },
  ];
  async function* rows(): AsyncGenerator<SensorRow> {
    for (let n = 0; n < rowCount; n++) yield rowAt(n);
  }
  let bytes = 0;
  for await (const { length } of parquetFile(columns, rows())) bytes += length;
  return bytes;
}

Object.assign(globalThis, { measure });
