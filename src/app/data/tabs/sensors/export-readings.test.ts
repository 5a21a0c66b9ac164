import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { expect, it } from 'vitest';
import type { DataContext } from '../../context/data-context.ts';
import { exportReadings } from './export-readings.ts';
import { readingRow } from './reading-rows.ts';

const source = { partId: 'p', componentName: 'scale', componentType: 'rdk:component:sensor', methodName: 'Readings' };

/** Streams `count` rows for each source; every thousandth row has an extra value. */
function streams(count: number): Pick<DataContext, 'data'> {
  async function* exportTabularData({ resourceName }: { resourceName: string }) {
    for (let i = 0; i < count; i++) {
      const readings = { grams: i, ...(i % 1000 === 999 && { note: 'a,"b"' }) };
      yield { timeCaptured: timestampFromMs(1_780_000_000_000 + i), resourceName, payload: { readings } };
    }
  }
  return { data: { exportTabularData } } as unknown as Pick<DataContext, 'data'>;
}

const asked = (format: 'csv' | 'json', names = ['scale']) => ({
  format,
  sources: names.map((componentName) => ({ ...source, componentName, count: 0 })),
  filter: { start: '', end: '' },
  signal: new AbortController().signal,
});

it('writes CSV with every column, one header, all rows', async () => {
  const told: number[] = [];
  const file = await exportReadings(streams(4500), { ...asked('csv'), onProgress: (count) => told.push(count) });
  const lines = (await file.text()).split('\r\n');
  expect([lines.length, lines[0], lines[1]]).toEqual([
    4502,
    'time,component,grams,note',
    '2026-05-28T20:26:40.000Z,scale,0,',
  ]);
  expect(lines[1000]).toBe('2026-05-28T20:26:40.999Z,scale,999,"a,""b"""');
  expect(lines.filter((line) => line.startsWith('time,'))).toHaveLength(1);
  expect(told).toEqual([2000, 4000, 4500]);
});

it.each([0, 1, 2000, 4500])('writes %d rows of two sources as one JSON list', async (count) => {
  const file = await exportReadings(streams(count), { ...asked('json', ['a', 'b']), onProgress: () => undefined });
  const rows = JSON.parse(await file.text()) as { time: string; component: string; grams: number }[];
  expect(rows).toHaveLength(2 * count);
  expect(rows.at(-1)?.component).toBe(count === 0 ? undefined : 'b');
  expect(rows[0]?.time).toBe(count === 0 ? undefined : '2026-05-28T20:26:40.000Z');
});

it('keeps a reading whose name is taken apart from the time', () => {
  const row = readingRow(timestampFromMs(0), 'clock', { readings: { time: 'noon' } });
  expect(row).toEqual({ time: new Date(0), component: 'clock', readings: { time: 'noon' } });
  expect(readingRow(undefined, 'c', { level: 3 })).toEqual({ time: null, component: 'c', level: 3 });
});
