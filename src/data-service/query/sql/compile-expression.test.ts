import { describe, expect, it } from 'vitest';
import type { QueryDocument, QueryValue } from '../query-document.ts';
import { compileSql } from './compile-sql.ts';
import { runSql } from './test-run.ts';

const run = (sql: string, document: QueryDocument): QueryDocument[] => runSql(sql, [document]);

/** What a condition is of a document: as a column, and as WHERE and WHERE NOT tell. */
function truthOf(condition: string, document: QueryDocument): unknown {
  const column = run(`SELECT ${condition} AS truth FROM readings`, document)[0]!.truth;
  const taken = (where: string): boolean => run(`SELECT 1 FROM readings WHERE ${where}`, document).length > 0;
  const told = taken(condition) ? true : taken(`NOT (${condition})`) ? false : null;
  expect(told, condition).toBe(column);
  return column;
}

const day = (n: number) => new Date(Date.UTC(2026, 2, n));

describe('a comparison', () => {
  // whether the comparison holds where the first value is less, equal or greater
  const ordered: readonly [string, boolean, boolean, boolean][] = [
    ['a = b', false, true, false],
    ['a != b', true, false, true],
    ['a <> b', true, false, true],
    ['a < b', true, false, false],
    ['a <= b', true, true, false],
    ['a > b', false, false, true],
    ['a >= b', false, true, true],
    ['a BETWEEN b AND b', false, true, false],
    ['a NOT BETWEEN b AND b', true, false, true],
    ['a IN (b)', false, true, false],
    ['a NOT IN (b)', true, false, true],
  ];
  const pairs: readonly [QueryValue, QueryValue][] = [
    [-0.5, 2],
    ['a', 'b'],
    [day(1), day(2)],
  ];
  describe.each(ordered)('%s', (condition, less, equal, greater) => {
    it.each(pairs)('of %j and %j', (low, high) => {
      expect(truthOf(condition, { a: low, b: high })).toBe(less);
      expect(truthOf(condition, { a: low, b: low })).toBe(equal);
      expect(truthOf(condition, { a: high, b: low })).toBe(greater);
    });

    it('of nothing known is not known', () => {
      for (const document of [{ a: null, b: 1 }, { a: 1, b: null }, { a: null, b: null }, { a: 1 }, { b: 1 }, {}])
        expect(truthOf(condition, document)).toBeNull();
    });
  });

  const literals: readonly [string, unknown][] = [
    ['a = 2', true],
    ['a != 2', false],
    ['a < 2', false],
    ['a <= 2', true],
    ['a > 2', false],
    ['a >= 2', true],
    ['2 = a', true],
    ['2 < a', false],
    ['2 <= a', true],
    ['2 > a', false],
    ['2 >= a', true],
    ['1 < a', true],
    ['3 > a', true],
    ['1 >= a', false],
    ['3 <= a', false],
    ['NOT (a < 2)', true],
    ['NOT (a > 2)', true],
    ['NOT (a <= 2)', false],
    ['NOT (a >= 2)', false],
    ['NOT (a < NULL)', null],
    ['NULL = NULL', null],
    ['NOT (NULL != 1)', null],
  ];
  it.each(literals)('with a literal: %s', (condition, truth) => expect(truthOf(condition, { a: 2 })).toBe(truth));

  const mixed: readonly [string, unknown][] = [
    ['a = b', false],
    ['a != b', true],
    ['NOT (a = b)', true],
    ['NOT (a != b)', false],
    ['a < b', null],
    ['a >= b', null],
    ['b < a', null],
    ['a IN (1, 2)', false],
    ['a NOT IN (1, 2)', true],
  ];
  it.each(mixed)('of a text and a number: %s', (condition, truth) =>
    expect(truthOf(condition, { a: '1', b: 1 })).toBe(truth),
  );
});

describe('AND, OR and NOT', () => {
  const values = { t: true, f: false, n: null };
  const cases: readonly [string, boolean | null][] = [
    ['t AND t', true],
    ['t AND f', false],
    ['f AND t', false],
    ['f AND f', false],
    ['t AND n', null],
    ['n AND t', null],
    ['f AND n', false],
    ['n AND f', false],
    ['n AND n', null],
    ['t OR t', true],
    ['t OR f', true],
    ['f OR t', true],
    ['f OR f', false],
    ['t OR n', true],
    ['n OR t', true],
    ['f OR n', null],
    ['n OR f', null],
    ['n OR n', null],
    ['NOT t', false],
    ['NOT f', true],
    ['NOT n', null],
    ['NOT (t AND n)', null],
    ['NOT (f AND n)', true],
    ['NOT (t OR n)', false],
    ['NOT (f OR n)', null],
    ['NOT NOT n', null],
    ['NOT NOT t', true],
    ['n IS NULL', true],
    ['t IS NULL', false],
    ['n IS NOT NULL', false],
    ['f IS NOT NULL', true],
    ['t IS TRUE', true],
    ['f IS TRUE', false],
    ['n IS TRUE', false],
    ['t IS FALSE', false],
    ['f IS FALSE', true],
    ['n IS FALSE', false],
    ['n IS NOT TRUE', true],
    ['n IS NOT FALSE', true],
    ['t IS NOT FALSE', true],
    ['(t AND n) IS NULL', true],
    ['(f AND n) IS NULL', false],
    ['1 IN (1, n)', true],
    ['1 IN (2, n)', null],
    ['1 NOT IN (1, n)', false],
    ['1 NOT IN (2, n)', null],
    ['n IN (1)', null],
    ["n LIKE '%'", null],
    ["NOT (n LIKE '%')", null],
    ["t LIKE '%'", null],
    ["'x' LIKE 'x'", true],
    ["'x' NOT LIKE 'x'", false],
    ["'x' LIKE 'y'", false],
    ['CASE WHEN n THEN t ELSE f END', false],
    ['CASE WHEN n THEN t END', null],
    ['CASE n WHEN n THEN t ELSE f END', false],
  ];
  it.each(cases)('%s', (condition, truth) => expect(truthOf(condition, values)).toBe(truth));
});

describe('a query that grows', () => {
  const remainders = (n: number): string => `SELECT a${' % 2'.repeat(n)} AS x FROM readings`;
  const comparisons = (n: number): string => `SELECT a${' = 1'.repeat(n)} AS x FROM readings`;
  const sum = (n: number): string => `${'1+'.repeat(n)}1`;
  const betweens = (n: number): string =>
    `SELECT ${'('.repeat(n)}a${' BETWEEN 0 AND 1)'.repeat(n)} AS x FROM readings ORDER BY x`;
  const cases: readonly [string, string, string][] = [
    ['remainders of remainders', remainders(30), 'The query grows too large'],
    ['comparisons of comparisons', comparisons(9), 'The query grows too large'],
    ['many comparisons of comparisons', comparisons(40), 'The query grows too large'],
    ['BETWEEN in BETWEEN', betweens(9), 'The query grows too large'],
    ['many BETWEEN in BETWEEN', betweens(40), 'The expression grows too large'],
    [
      'CASE in CASE',
      `SELECT ${'CASE '.repeat(40)}a${' WHEN 1 THEN 2 WHEN 3 THEN 4 END'.repeat(40)} FROM readings`,
      'The expression grows too large',
    ],
    ['a long sum', `SELECT ${sum(9000)} FROM readings`, 'The expression is nested deeper than 100 levels'],
    ...['WHERE', 'GROUP BY', 'HAVING', 'ORDER BY'].map((clause): [string, string, string] => [
      `a long sum in ${clause}`,
      `SELECT a FROM readings ${clause} ${sum(100)}`,
      'The expression is nested deeper than 100 levels',
    ]),
  ];
  it.each(cases)('is refused: %s', (_, sql, message) => {
    const start = performance.now();
    expect(() => compileSql(sql)).toThrow(message);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it.each([remainders(10), comparisons(4), betweens(4), `SELECT ${sum(99)} FROM readings`])(
    'is compiled while it is small: %s',
    (sql) => expect(() => compileSql(sql)).not.toThrow(),
  );

  it('may be wide', () => {
    const where = Array.from({ length: 900 }, (_, n) => `a${n} = ${n}`).join(' OR ');
    expect(() => compileSql(`SELECT a FROM readings WHERE ${where}`)).not.toThrow();
  });
});
