import { expect, it } from 'vitest';
import { columnsOf } from './document-columns.ts';
import { resultFile, type ResultFormat } from './document-files.ts';

const rows = [
  { at: new Date(0), data: { kg: -1.5, note: 'wet, "cold"' } },
  { at: new Date(1), data: { kg: null, note: '=SUM(A1)' }, n: 2 },
];
const fileOf = (some: readonly Record<string, unknown>[], format: ResultFormat): string =>
  [...resultFile(some, columnsOf(some), format)].join('');

it('is CSV of the flattened columns, which no spreadsheet runs', () => {
  expect(fileOf(rows, 'csv')).toBe(
    'at,data.kg,data.note,n\r\n1970-01-01T00:00:00.000Z,-1.5,"wet, ""cold""",\r\n1970-01-01T00:00:00.001Z,,\'=SUM(A1),2\r\n',
  );
});

it('is JSON and JSONL of the documents, dates kept', () => {
  const first = '{"at":{"$date":"1970-01-01T00:00:00Z"},"data":{"kg":-1.5,"note":"wet, \\"cold\\""}}';
  expect(fileOf(rows.slice(0, 1), 'jsonl')).toBe(`${first}\n`);
  expect(fileOf(rows.slice(0, 1), 'json')).toBe(`[\n${first}\n]\n`);
});

it('is whole however many rows there are', () => {
  const many = Array.from({ length: 4001 }, (_, n) => ({ n }));
  expect(JSON.parse(fileOf(many, 'json'))).toEqual(many);
  expect(fileOf(many, 'jsonl').trim().split('\n')).toHaveLength(4001);
  expect(JSON.parse(fileOf([], 'json'))).toEqual([]);
});
