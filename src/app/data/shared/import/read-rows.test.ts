import { describe, expect, it } from 'vitest';
import { parseCsv } from '../../../../evidence/datasets/files/parse-csv.ts';
import { readRows } from './read-rows.ts';
import { readTimeMicros } from './read-time.ts';

describe('CSV', () => {
  it.each([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a;b\r\n"x;1";"say ""hi"""\r\n',
      [
        ['a', 'b'],
        ['x;1', 'say "hi"'],
      ],
    ],
    [
      '\ufeffa\tb\n\n1\t\n',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    [
      'a,b\n"two\nlines",3',
      [
        ['a', 'b'],
        ['two\nlines', '3'],
      ],
    ],
    ['', []],
  ])('%j', (text, rows) => {
    expect(parseCsv(text)).toEqual(rows);
  });
});

describe('a moment', () => {
  it.each([
    ['2026-01-02T03:04:05Z', Date.UTC(2026, 0, 2, 3, 4, 5) * 1000],
    ['2026-01-02 03:04:05.123456Z', Date.UTC(2026, 0, 2, 3, 4, 5, 123) * 1000 + 456],
    ['2026-01-02T03:04:05.5+01:00', Date.UTC(2026, 0, 2, 2, 4, 5, 500) * 1000],
    [1_780_000_000, 1_780_000_000e6],
    ['1780000000.25', 1_780_000_000_250_000],
    [1_780_000_000_000, 1_780_000_000e6],
    ['1780000000000001', 1_780_000_000_000_001],
    [1.78e18, 1.78e15],
    [42, null],
    ['noon', null],
    ['2026-99-99', null],
    [true, null],
  ])('%j is %j µs', (value, micros) => {
    expect(readTimeMicros(value)).toBe(micros);
  });
});

describe('a table', () => {
  it('reads CSV with its types, and finds the time', () => {
    const text =
      'id,when,Timestamp,ok,code,note\n1,2026-01-01,1780000000,TRUE,007,a\n2,2026-01-02,1780000001,false,008,\n';
    expect(readRows(text, 'x.CSV')).toEqual({
      columns: ['id', 'when', 'Timestamp', 'ok', 'code', 'note'],
      timeColumns: ['Timestamp', 'when'],
      rows: [
        { id: 1, when: '2026-01-01', Timestamp: 1780000000, ok: true, code: '007', note: 'a' },
        { id: 2, when: '2026-01-02', Timestamp: 1780000001, ok: false, code: '008' },
      ],
    });
  });

  it.each([
    ['[{"a":1},{"b":{"c":[1]}}]', 2],
    ['{"a":1}\n\n{"a":2}\n', 2],
    ['{"name":"run","rows":[{"a":1},{"a":2},{"a":3}]}', 3],
    ['{"a":1}', 1],
  ])('reads JSON %j', (text, count) => {
    expect(readRows(text, 'x.json').rows).toHaveLength(count);
  });

  it.each([
    ['a,b\n', 'x.csv', 'no rows'],
    ['', 'x.csv', 'no rows'],
    ['[]', 'x.json', 'no rows'],
    ['[1,2]', 'x.json', 'row 1 is not an object'],
    ['"text"', 'x.json', 'not a list of objects'],
    ['{"a":1}\n{a:2}', 'x.jsonl', 'line 2 is not JSON'],
  ])('says why %j is none', (text, name, words) => {
    expect(() => readRows(text, name)).toThrow(words);
  });
});
