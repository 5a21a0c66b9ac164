import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { QueryDocument } from '../query-document.ts';
import { runSql } from './test-run.ts';

// What both mean alike: columns of one type each and NULL, numbers that doubles hold exactly, texts of ASCII.

type Row = Record<'n' | 'm' | 's' | 'u', string | number | null>;
const numbers = fc.option(fc.integer({ min: -12, max: 12 }).map((quarters) => quarters / 4 || 0));
const texts = fc.option(fc.constantFrom('', 'a', 'A', 'b', 'ab', 'Ab%', 'a_b'));
const rows: fc.Arbitrary<Row[]> = fc.array(fc.record({ n: numbers, m: numbers, s: texts, u: texts }), { maxLength: 8 });

const written = (value: string | number | null): string =>
  value === null ? 'NULL' : typeof value === 'number' ? `(${value})` : `'${value}'`;
const call = (name: string, ...parts: readonly string[]): string => `${name}(${parts.join(', ')})`;
const { number, text, condition } = fc.letrec<Record<'number' | 'text' | 'condition', string>>((tie) => {
  const [number, text, condition] = [tie('number'), tie('text'), tie('condition')];
  const chosen = (part: fc.Arbitrary<string>) =>
    fc.tuple(condition, part, part).map(([when, then, other]) => `CASE WHEN ${when} THEN ${then} ELSE ${other} END`);
  const compared = (part: fc.Arbitrary<string>) =>
    fc.oneof(
      fc
        .tuple(part, fc.constantFrom('=', '!=', '<>', '<', '<=', '>', '>='), part)
        .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
      fc
        .tuple(part, fc.constantFrom('', 'NOT '), part, part)
        .map((x) => `(${x[0]} ${x[1]}BETWEEN ${x[2]} AND ${x[3]})`),
      fc
        .tuple(part, fc.constantFrom('', 'NOT '), fc.array(part, { minLength: 1, maxLength: 3 }))
        .map(([operand, not, list]) => `(${operand} ${not}IN (${list.join(', ')}))`),
      fc.tuple(part, fc.constantFrom('', 'NOT ')).map(([operand, not]) => `(${operand} IS ${not}NULL)`),
    );
  return {
    number: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom('n', 'm'),
      numbers.map(written),
      fc.tuple(number, fc.constantFrom('+', '-', '*'), number).map((parts) => `(${parts.join(' ')})`),
      number.map((operand) => `(- ${operand})`),
      number.map((operand) => call('ROUND', operand)), // to no digits: sums of tenths depend on their order
      fc.tuple(number, number).map((parts) => call('COALESCE', ...parts)),
      chosen(number),
    ),
    text: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom('s', 'u'),
      texts.map(written),
      fc.tuple(fc.constantFrom('UPPER', 'LOWER'), text).map(([name, operand]) => call(name, operand)),
      fc.tuple(text, text).map((parts) => call('COALESCE', ...parts)),
      chosen(text),
    ),
    condition: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom('TRUE', 'FALSE', 'n > 0'),
      compared(number),
      compared(text),
      fc
        .tuple(text, fc.constantFrom('', 'NOT '), fc.constantFrom('a%', '_', '%B', '%', 'a_b'))
        .map((x) => `(${x[0]} ${x[1]}LIKE '${x[2]}')`),
      fc.tuple(condition, fc.constantFrom('AND', 'OR'), condition).map((parts) => `(${parts.join(' ')})`),
      condition.map((operand) => `(NOT ${operand})`),
    ),
  };
});

const distinct = fc.constantFrom('', 'DISTINCT ');
const aggregates = (part: fc.Arbitrary<string>, ...names: readonly string[]) =>
  fc.tuple(fc.constantFrom(...names), distinct, part).map(([name, only, argument]) => `${name}(${only}${argument})`);
const numberAggregate = fc.oneof(fc.constant('COUNT(*)'), aggregates(number, 'COUNT', 'SUM', 'AVG', 'MIN', 'MAX'));
const textAggregate = aggregates(text, 'MIN', 'MAX');
const havings = fc.oneof(
  fc.constant(''),
  numberAggregate.map((aggregate) => ` HAVING ${aggregate} > 0.5`),
);

/** Queries whose answers have the columns n, m, s and u, of the same types as those of the readings. */
const { query } = fc.letrec<Record<'query' | 'source', string>>((tie) => {
  const query = tie('query');
  const source = tie('source');
  const plain = fc
    .tuple(distinct, number, number, text, text, source, condition, fc.option(fc.nat(6)))
    .map(
      ([only, n, m, s, u, from, where, limit]) =>
        `SELECT ${only}${n} AS n, ${m} AS m, ${s} AS s, ${u} AS u FROM ${from} WHERE ${where}${limit === null ? '' : ` ORDER BY 1, 2, 3, 4 LIMIT ${limit}`}`,
    );
  const grouped = fc
    .tuple(number, numberAggregate, text, textAggregate, source, condition, havings)
    .map(
      ([n, m, s, u, from, where, having]) =>
        `SELECT ${n} AS n, ${m} AS m, ${s} AS s, ${u} AS u FROM ${from} WHERE ${where} GROUP BY 1, 3${having}`,
    );
  const whole = fc
    .tuple(numberAggregate, numberAggregate, textAggregate, textAggregate, source, condition)
    .map(
      ([n, m, s, u, from, where]) => `SELECT ${n} AS n, ${m} AS m, ${s} AS s, ${u} AS u FROM ${from} WHERE ${where}`,
    );
  const star = fc.tuple(source, condition).map(([from, where]) => `SELECT * FROM ${from} WHERE ${where}`);
  const named = fc
    .tuple(query, condition)
    .map(([inner, where]) => `WITH q AS (${inner}) SELECT n + 1 AS n, m, s, u FROM q WHERE ${where}`);
  return {
    source: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      fc.constant('readings'),
      query.map((inner) => `(${inner})`),
    ),
    query: fc.oneof({ maxDepth: 3 }, plain, grouped, whole, star, named),
  };
});

const comparable = (answer: readonly object[]): string[] =>
  answer
    .map((row) =>
      JSON.stringify(
        ['n', 'm', 's', 'u']
          .map((name) => (row as QueryDocument)[name] ?? null)
          .map((value) => (value === 0 ? 0 : value)),
      ),
    )
    .sort();

function ask(sql: string, stored: readonly Row[]): readonly object[] {
  using database = new DatabaseSync(':memory:');
  database.exec('PRAGMA case_sensitive_like = ON; CREATE TABLE readings (n, m, s, u)');
  const insert = database.prepare('INSERT INTO readings VALUES (?, ?, ?, ?)');
  for (const { n, m, s, u } of stored) insert.run(n, m, s, u);
  return database.prepare(sql).all();
}

it('answers as SQLite does', () => {
  fc.assert(
    fc.property(query, rows, (sql, stored) => {
      expect(comparable(runSql(sql, stored)), sql).toEqual(comparable(ask(sql, stored)));
    }),
    { seed: 11, numRuns: 600 },
  );
}, 60_000);

it('rounds as SQLite does', () => {
  using database = new DatabaseSync(':memory:');
  const round = database.prepare('SELECT ROUND(?1) AS a, ROUND(?1, 1) AS b, ROUND(?1, 2) AS c, ROUND(?1, 5) AS d');
  fc.assert(
    // the halves among these are exact
    fc.property(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), fc.nat(12), (size, binaryDigits) => {
      const v = size / 2 ** binaryDigits;
      const ours = runSql('SELECT ROUND(v) AS a, ROUND(v, 1) AS b, ROUND(v, 2) AS c, ROUND(v, 5) AS d FROM readings', [
        { v },
      ]);
      // -0 of theirs is 0
      expect(ours).toEqual([
        Object.fromEntries(Object.entries(round.get(v)!).map(([name, x]) => [name, x === 0 ? 0 : x])),
      ]);
    }),
    { seed: 3, numRuns: 500 },
  );
});

it('cuts times as SQLite does', () => {
  const cuts: Readonly<Record<string, string>> = {
    YEAR: "strftime('%Y-01-01 00:00:00', t)",
    MONTH: "strftime('%Y-%m-01 00:00:00', t)",
    WEEK: "strftime('%Y-%m-%d 00:00:00', t, '-6 days', 'weekday 0')",
    ISOWEEK: "strftime('%Y-%m-%d 00:00:00', t, '-6 days', 'weekday 1')",
    DAY: "strftime('%Y-%m-%d 00:00:00', t)",
    HOUR: "strftime('%Y-%m-%d %H:00:00', t)",
    MINUTE: "strftime('%Y-%m-%d %H:%M:00', t)",
    SECOND: "strftime('%Y-%m-%d %H:%M:%S', t)",
  };
  using database = new DatabaseSync(':memory:');
  const columns = Object.entries(cuts).map(([unit, cut]) => `${cut} AS ${unit}`);
  const cut = database.prepare(`SELECT ${columns.join(', ')} FROM (SELECT ? AS t)`);
  const time = fc.date({ min: new Date('1901-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(time, (t) => {
      const wanted = Object.entries(cut.get(t.toISOString())!).map(([unit, text]) => [
        unit,
        new Date(`${String(text)}Z`),
      ]);
      const units = Object.keys(cuts).map((unit) => `DATE_TRUNC(t, ${unit}) AS ${unit}`);
      expect(runSql(`SELECT ${units.join(', ')} FROM readings`, [{ t }])).toEqual([Object.fromEntries(wanted)]);
    }),
    { seed: 7, numRuns: 500 },
  );
});
