import { describe, expect, it } from 'vitest';
import type { QueryValue } from '../query-document.ts';
import { runSql } from './test-run.ts';

const at = (text: string) => new Date(text);
const one = (expression: string, document: Record<string, QueryValue> = {}): unknown =>
  runSql(`SELECT ${expression} AS x FROM readings`, [document])[0]!.x;

describe('a function of a value', () => {
  const cases: readonly [string, QueryValue, unknown][] = [
    // half away from zero, of the number as it is written
    ['ROUND(a)', 2.5, 3],
    ['ROUND(a)', -2.5, -3],
    ['ROUND(a)', 0.5, 1],
    ['ROUND(a)', -0.4, 0],
    ['ROUND(a)', 0.49999999999999994, 0],
    ['ROUND(a, 2)', 2.675, 2.68],
    ['ROUND(a, 2)', -1.005, -1.01],
    ['ROUND(a, 1)', 20, 20],
    ['ROUND(a, -2)', 1250, 1300],
    ['ROUND(a, -2)', -49, 0],
    ['ROUND(a, 20)', 0.1, 0.1],
    ['ROUND(a, -20)', 1e20, 1e20],
    ['ROUND(a, 3)', 1.5e-7, 0],
    ['ROUND(a, 7)', 1.5e-7, 2e-7],
    ['ROUND(a)', 1e300, 1e300],
    ['ROUND(a)', Infinity, Infinity],
    ['ROUND(a)', Number.NaN, Number.NaN],
    ['ROUND(a)', null, null],
    ['UPPER(a)', 'aé ß1', 'AÉ SS1'],
    ['LOWER(a)', 'AÉ B', 'aé b'],
    ['UPPER(a)', '', ''],
    ['UPPER(a)', null, null],
    ['LOWER(a)', null, null],
    ['UPPER(CAST(a AS STRING))', 1.5, '1.5'],
    ['COALESCE(a, 7)', null, 7],
    ['COALESCE(a, 7)', 0, 0],
    ['COALESCE(a, 7)', '', ''],
    ['COALESCE(a, 7)', false, false],
    ['COALESCE(gone, a, 7)', 3, 3],
    ['COALESCE(a, gone)', null, null],
    ['COALESCE(a)', 'x', 'x'],
    ["COALESCE(a, 'x') = 'x'", null, true],
    ['COALESCE(a, TRUE) AND TRUE', null, true],
    ['DATE_TRUNC(a, YEAR)', at('2026-08-19T13:14:15.167Z'), at('2026-01-01')],
    ['DATE_TRUNC(a, QUARTER)', at('2026-08-19T13:14:15.167Z'), at('2026-07-01')],
    ['DATE_TRUNC(a, MONTH)', at('2026-08-19T13:14:15.167Z'), at('2026-08-01')],
    // 19 August 2026 is a Wednesday
    ['DATE_TRUNC(a, WEEK)', at('2026-08-19T13:14:15.167Z'), at('2026-08-16')],
    ['DATE_TRUNC(a, ISOWEEK)', at('2026-08-19T13:14:15.167Z'), at('2026-08-17')],
    ['DATE_TRUNC(a, ISOWEEK)', at('2026-08-16T13:14:15.167Z'), at('2026-08-10')],
    ['DATE_TRUNC(a, DAY)', at('2026-08-19T13:14:15.167Z'), at('2026-08-19')],
    ['DATE_TRUNC(a, HOUR)', at('2026-08-19T13:14:15.167Z'), at('2026-08-19T13:00:00Z')],
    ['DATE_TRUNC(a, MINUTE)', at('2026-08-19T13:14:15.167Z'), at('2026-08-19T13:14:00Z')],
    ['DATE_TRUNC(a, SECOND)', at('2026-08-19T13:14:15.167Z'), at('2026-08-19T13:14:15Z')],
    ['DATE_TRUNC(a, MONTH)', at('1969-12-31T23:59:59.999Z'), at('1969-12-01')],
    ['DATE_TRUNC(a, DAY)', null, null],
    ["DATE_TRUNC(CAST(a AS TIMESTAMP), DAY) = '2026-08-19'", '2026-08-19T13:14:15Z', true],
  ];
  it.each(cases)('%s of %j', (expression, a, value) => expect(one(expression, { a })).toEqual(value));

  it.each(['ROUND(a)', 'UPPER(a)', 'LOWER(a)', 'COALESCE(a)', 'DATE_TRUNC(a, DAY)'])(
    '%s of what is missing is NULL',
    (call) => expect(one(call)).toBeNull(),
  );

  it.each<[string, QueryValue, string]>([
    ['ROUND(a)', '12', 'ROUND takes a number, not "12": SAFE_CAST(… AS FLOAT64) makes one, or NULL.'],
    ['UPPER(a)', 5, 'UPPER takes a text, not 5: CAST(… AS STRING) makes one.'],
    ['LOWER(a)', true, 'LOWER takes a text, not true: CAST(… AS STRING) makes one.'],
    ['DATE_TRUNC(a, DAY)', '2026-08-19', 'only a time can be cut; CAST(… AS TIMESTAMP) in SQL'],
  ])('%s refuses %j in words', (call, a, words) => {
    expect(() => one(call, { a })).toThrow(words);
    expect(() => one(call, { a })).toThrow(expect.objectContaining({ code: 'invalid-query' }));
  });

  it('stands wherever an expression does', () => {
    const rows = ['On', 'off', 'ON', null].map((state, hour) => ({
      state,
      t: at(`2026-03-01T0${hour}:30:00Z`),
      v: hour + 0.5,
    }));
    expect(
      runSql(
        "SELECT LOWER(state) AS s, ROUND(SUM(v) / 3, 1) AS v FROM readings WHERE UPPER(state) != 'OFF' GROUP BY LOWER(state) HAVING ROUND(SUM(v)) = 3 ORDER BY LOWER(state)",
        rows,
      ),
    ).toEqual([{ s: 'on', v: 1 }]);
    expect(
      runSql("SELECT COALESCE(state, '–') AS s FROM readings GROUP BY COALESCE(state, '–') ORDER BY s", rows),
    ).toEqual([{ s: 'On' }, { s: 'ON' }, { s: 'off' }, { s: '–' }].sort((a, b) => (a.s < b.s ? -1 : 1)));
    expect(runSql("SELECT v FROM readings WHERE DATE_TRUNC(t, HOUR) = '2026-03-01 02:00:00'", rows)).toEqual([
      { v: 2.5 },
    ]);
  });
});

describe('an aggregate of different values', () => {
  const rows = [1, 1, 2, 4, 4, null, '4', true].map((v) => ({ v })).concat([{} as { v: null }]);
  it.each([
    ['COUNT(DISTINCT v)', 5],
    ['SUM(DISTINCT v)', 7],
    ['AVG(DISTINCT v)', 7 / 3],
    ['MIN(DISTINCT SAFE_CAST(v AS FLOAT64))', 1],
    ['MAX(NULL)', null],
    ['COUNT(DISTINCT NULL)', 0],
  ])('%s', (aggregate, value) => {
    expect(runSql(`SELECT ${aggregate} AS x FROM readings`, rows)).toEqual([{ x: value }]);
  });

  it.each(['COUNT', 'SUM', 'AVG', 'MIN', 'MAX'])('%s leaves out NULL, and is of nothing what it is of none', (name) => {
    const of = (v: readonly QueryValue[]) =>
      runSql(
        `SELECT ${name}(DISTINCT v) AS x, ${name}(v) AS y FROM readings`,
        v.map((one) => ({ v: one })),
      )[0]!;
    expect(of([null, null]).x).toEqual(of([null]).y);
    expect(of([]).x).toEqual(of([]).y);
    expect(of([null, 3, 5]).x).toEqual(of([null, 3, 5]).y);
  });

  it('is one of each group, and beside others', () => {
    const grouped = [
      { g: 'a', v: 1 },
      { g: 'a', v: 1 },
      { g: 'a', v: 5 },
      { g: 'b', v: 2 },
    ];
    expect(
      runSql(
        'SELECT g, SUM(DISTINCT v) AS d, SUM(v) AS s, COUNT(*) AS n, COUNT(DISTINCT v) AS c, MIN(DISTINCT v) AS lo, MAX(DISTINCT v) AS hi FROM readings GROUP BY g ORDER BY g',
        grouped,
      ),
    ).toEqual([
      { g: 'a', d: 6, s: 7, n: 3, c: 2, lo: 1, hi: 5 },
      { g: 'b', d: 2, s: 2, n: 1, c: 1, lo: 2, hi: 2 },
    ]);
  });
});
