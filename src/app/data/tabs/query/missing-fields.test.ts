import { expect, it } from 'vitest';
import { columnsOf, type ResultRow } from '../../shared/documents/document-columns.ts';
import { missingFieldNote } from './missing-fields.ts';

const stored: ResultRow[] = [
  {
    component_name: 'scale',
    time_requested: new Date(0),
    tags: ['a'],
    data: { readings: { temperature: 20, 'net weight': 2, boxes: [{ label: 'x' }], inner: { kg: 1 } } },
  },
];
const whole = { columns: columnsOf(stored), sampled: 1, isWhole: true };
const note = (sql: string, rows: readonly ResultRow[] = [], known = whole) =>
  missingFieldNote(sql, { rows, columns: columnsOf(rows) }, known);

it.each([
  ['SELECT * FROM readings WHERE data.readings.temprature > 5', 'data.readings.temprature; did you mean data.readings.temperature?'],
  ['SELECT temperature FROM readings WHERE FALSE', 'temperature; did you mean data.readings.temperature?'],
  ['SELECT data.temperature FROM readings WHERE FALSE', 'data.temperature; did you mean data.readings.temperature?'],
  ["SELECT * FROM readings WHERE component = 'scale'", 'component; did you mean component_name?'],
  ['SELECT data.readings.net_weight AS w FROM readings LIMIT 0', 'data.readings.net_weight; did you mean data.readings.`net weight`?'],
  ['SELECT a FROM (SELECT data.readings.voltage AS a FROM readings) WHERE a > 1', 'data.readings.voltage.'],
])('%s: the note names the field', (sql, words) => expect(note(sql)).toBe(`None of the readings looked at (all 1) has ${words}`)); // prettier-ignore

it.each([
  'SELECT * FROM readings WHERE data.readings.temperature > 50',
  'SELECT data.readings AS r, tags FROM readings WHERE data.readings.inner.kg > 5',
  "SELECT * FROM readings WHERE data.readings.boxes.label = 'y'",
  'SELECT COUNT(*) AS n FROM readings WHERE FALSE',
])('%s asks for nothing that is missing', (sql) => expect(note(sql)).toBeNull());

it('stands beside values that may be of nothing, not beside those that are there', () => {
  const sql = 'SELECT component_name, AVG(data.readings.temprature) AS t FROM readings GROUP BY component_name';
  const row = (t: number | null) => ({ component_name: 'scale', t });
  expect(note(sql, [{ component_name: null, t: 5 }])).toContain('did you mean');
  expect(note(sql, [row(null), row(null)])).toContain('did you mean');
  expect(note(sql, [row(null), row(5)])).toBeNull();
});

it('says how far it looked', () => {
  const sql = 'SELECT * FROM readings WHERE volts > 5';
  expect(note(sql, [], { ...whole, sampled: 100, isWhole: false })).toBe(
    'None of the readings looked at (the newest and the first 100) has volts.',
  );
  expect(note(sql, [], { columns: [], sampled: 0, isWhole: true })).toBeNull();
});
