import { describe, expect, it } from 'vitest';
import type { QueryDocument } from '../query-document.ts';
import { planReading } from '../mql/read-plan.ts';
import { compileSelect } from './compile-select.ts';
import { compileSql } from './compile-sql.ts';
import { parseSql } from './parse-sql.ts';
import { runSql } from './test-run.ts';

const hour = (h: number) => new Date(Date.UTC(2026, 2, 1, h));
const rows: readonly QueryDocument[] = [
  ['oven', 20],
  ['oven', 100.5],
  ['fridge', 4],
  ['fridge', 9],
  ['fridge', null],
].map(
  ([component_name, temp], h) =>
    ({ component_name, time_requested: hour(h), data: { readings: { temp } } }) as QueryDocument,
);
const inner = 'SELECT component_name AS c, data.readings.temp AS t, time_requested AS at FROM readings';

describe('a query that reads from another', () => {
  it.each<[string, unknown[]]>([
    [`SELECT t FROM (${inner}) WHERE t > 5 AND c = 'fridge'`, [{ t: 9 }]],
    [`SELECT x.t FROM (${inner}) AS x WHERE x.c = 'fridge' AND x.t IS NULL`, [{ t: null }]],
    [`SELECT x.t FROM (${inner}) x ORDER BY x.t DESC LIMIT 1`, [{ t: 100.5 }]],
    [`WITH x AS (${inner}) SELECT x.t FROM x ORDER BY x.t DESC LIMIT 1`, [{ t: 100.5 }]],
    [`WITH x AS (${inner}) SELECT y.t FROM x AS y ORDER BY y.t DESC LIMIT 1`, [{ t: 100.5 }]],
    [`WITH a AS (${inner}), b AS (SELECT c, t * 2 AS d FROM a WHERE t > 5) SELECT MAX(d) AS m FROM b`, [{ m: 201 }]],
    [`WITH a AS (${inner}), unused AS (SELECT 1 FROM readings) SELECT COUNT(*) AS n FROM a`, [{ n: 5 }]],
    [`WITH a AS (${inner}) SELECT n FROM (WITH b AS (SELECT COUNT(t) AS n FROM a) SELECT n + 1 AS n FROM b)`, [{ n: 5 }]],
    // a name that is also that of its source
    ["WITH readings AS (SELECT data.readings.temp AS t FROM readings WHERE component_name = 'oven') SELECT SUM(t) AS s FROM readings", [{ s: 120.5 }]],
    ['WITH `two words` AS (SELECT 1 AS one FROM readings LIMIT 1) SELECT one FROM `two words`', [{ one: 1 }]],
    // what each has
    [`SELECT c, n FROM (SELECT component_name AS c, COUNT(*) AS n FROM readings GROUP BY c) WHERE n > 2`, [{ c: 'fridge', n: 3 }]],
    [`SELECT AVG(n) AS a FROM (SELECT component_name, COUNT(*) AS n FROM readings GROUP BY component_name)`, [{ a: 2.5 }]],
    [`SELECT COUNT(*) AS n FROM (SELECT DISTINCT component_name FROM readings)`, [{ n: 2 }]],
    [`SELECT SUM(t) AS s FROM (SELECT data.readings.temp AS t FROM readings ORDER BY t DESC LIMIT 2)`, [{ s: 120.5 }]],
    [`SELECT t FROM (SELECT data.readings.temp AS t FROM readings ORDER BY t DESC LIMIT 3) ORDER BY t LIMIT 1`, [{ t: 9 }]],
    [`SELECT COUNT(*) AS n FROM (SELECT * FROM readings LIMIT 0)`, [{ n: 0 }]],
    [`SELECT s + 1 AS s FROM (SELECT SUM(data.readings.temp) AS s FROM readings WHERE FALSE)`, [{ s: null }]],
    [`SELECT d.readings.temp AS t FROM (SELECT data AS d FROM readings) WHERE d.readings.temp = 4`, [{ t: 4 }]],
    [`SELECT f0_ FROM (SELECT 1 + 1 FROM readings LIMIT 1)`, [{ f0_: 2 }]],
    // the star
    [`SELECT * FROM (SELECT data.readings.temp AS t FROM readings) WHERE t = 9`, [{ t: 9 }]],
    [`SELECT *, t + 1 AS u FROM (SELECT data.readings.temp AS t FROM readings) WHERE t = 9`, [{ t: 9, u: 10 }]],
    [`SELECT data.readings.temp AS t FROM (SELECT * FROM readings) WHERE component_name = 'oven'`, [{ t: 20 }, { t: 100.5 }]],
    [`SELECT t FROM (SELECT *, data.readings.temp AS t FROM readings) WHERE component_name = 'oven' AND t < 50`, [{ t: 20 }]],
    // a text beside a time is read as one, also where the time has another name
    [`SELECT t FROM (${inner}) WHERE at >= '2026-03-01 03:00:00' AND t > 0`, [{ t: 9 }]],
    [`SELECT COUNT(*) AS n FROM (SELECT * FROM readings) WHERE time_requested < '2026-03-01 02:00:00'`, [{ n: 2 }]],
    [`SELECT c FROM (SELECT component_name AS c, MAX(time_requested) AS last FROM readings GROUP BY c) WHERE last < '2026-03-01 02:00:00'`, [{ c: 'oven' }]],
    [`SELECT component_name AS c FROM readings GROUP BY c HAVING MAX(time_requested) < '2026-03-01 02:00:00'`, [{ c: 'oven' }]],
    [`SELECT n FROM (SELECT DATE_TRUNC(time_requested, DAY) AS day, COUNT(*) AS n FROM readings GROUP BY day) WHERE day = '2026-03-01'`, [{ n: 5 }]],
    [`SELECT COUNT(*) AS n FROM (SELECT COALESCE(gone, time_requested) AS at FROM readings) WHERE at BETWEEN '2026-03-01' AND '2026-03-01T01:00:00Z'`, [{ n: 2 }]],
    [`SELECT COUNT(*) AS n FROM (SELECT 'x' AS time_requested FROM readings) WHERE time_requested = 'x'`, [{ n: 5 }]],
  ])('%s', (sql, answer) => expect(runSql(sql, rows)).toEqual(answer)); // prettier-ignore

  it.each([
    [`SELECT u FROM (${inner})`, 'The query in FROM has no column u; it has c, t, at (line 1, column 8)'],
    [`SELECT t FROM (${inner}) WHERE temp > 5`, 'The query in FROM has no column temp'],
    [`SELECT t FROM (${inner}) ORDER BY UPPER(name)`, 'The query in FROM has no column name'],
    [`SELECT COUNT(*) AS n FROM (${inner}) GROUP BY x.c`, 'The query in FROM has no column x.c'],
    [`SELECT COUNT(*) AS n FROM (${inner}) HAVING MAX(n) > 5`, 'The query in FROM has no column n'],
    [`SELECT a FROM (SELECT t FROM (${inner}))`, 'The query in FROM has no column a; it has t'],
    [`SELECT u FROM (SELECT *, 1 AS one FROM (${inner}))`, 'it has c, t, at, one'],
    ['SELECT a FROM (SELECT a, b AS a FROM readings)', 'Two columns are named a'],
    ['SELECT a FROM (SELECT a, COUNT(*) FROM readings)', 'a must stand in GROUP BY'],
    [`SELECT t FROM (${inner}) WHERE at > 'soon'`, '"soon" is not a date or a time'],
  ])('%s is refused', (sql, words) => {
    expect(() => compileSelect(parseSql(sql))).toThrow(words);
    expect(() => compileSelect(parseSql(sql))).toThrow(expect.objectContaining({ code: 'invalid-query' }));
  });

  it('takes names of its own columns where SQL does', () => {
    expect(() =>
      compileSelect(parseSql(`SELECT t AS u, COUNT(*) AS n FROM (${inner}) GROUP BY u HAVING n > 1 ORDER BY n, u`)),
    ).not.toThrow();
  });

  it('leaves to the storage what the innermost asks of it', () => {
    const stages = compileSelect(
      parseSql(
        "SELECT data.readings.temp AS t FROM (SELECT * FROM readings WHERE part_id = 'p') WHERE component_name = 'oven'",
      ),
    );
    expect(planReading('a', { start: null, end: null }, stages)).toMatchObject({
      filter: { partId: 'p', componentName: 'oven' },
      answered: 2,
      paths: ['data.readings.temp'],
    });
  });
});

describe('queries in a row', () => {
  const nested = (times: number): string =>
    `${'SELECT a FROM ('.repeat(times)}SELECT a FROM readings${')'.repeat(times)}`;
  const named = (times: number): string =>
    `WITH q0 AS (SELECT a FROM readings)${Array.from({ length: times - 1 }, (_, i) => `, q${i + 1} AS (SELECT a FROM q${i})`).join('')} SELECT a FROM q${times - 1}`;

  it.each([nested, named])('are twenty at most', (write) => {
    expect(() => compileSql(write(19))).not.toThrow();
    expect(() => compileSql(write(20))).toThrow('More than 20 queries read from one another; nest fewer (line 1');
  });

  it('end in words however deep they stand', () => {
    expect(() => parseSql('SELECT a FROM ('.repeat(1300))).toThrow('stand more than 200 deep inside one another');
    expect(() => parseSql('WITH a AS ('.repeat(1800))).toThrow('stand more than 200 deep inside one another');
  });

  it('that are run all of them answer', () => {
    expect(runSql(nested(19), [{ a: 1 }])).toEqual([{ a: 1 }]);
  });
});
