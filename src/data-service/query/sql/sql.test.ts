import { describe, expect, it } from 'vitest';
import { planReading } from '../mql/read-plan.ts';
import type { QueryDocument } from '../query-document.ts';
import { compileSelect } from './compile-select.ts';
import { parseSql } from './parse-sql.ts';
import { runSql } from './test-run.ts';

const hour = (h: number) => new Date(Date.UTC(2026, 2, 1, h));
const reading = (name: string, h: number, readings: QueryDocument, tags: string[] = []): QueryDocument => ({
  component_name: name,
  time_requested: hour(h),
  tags,
  data: { readings },
});

const readings: readonly QueryDocument[] = [
  reading('oven', 0, { temp: 20, state: 'on', ok: true }, ['kitchen']),
  reading('oven', 1, { temp: 100.5, state: 'off', ok: false }, ['kitchen', 'hot']),
  reading('oven', 2, { temp: null, state: 'on', ok: true }),
  reading('fridge', 3, { temp: 4, state: "it's_50%", ok: null }),
  reading('fridge', 4, { temp: 9, ok: true }),
  reading('fridge', 5, { temp: '12', state: 'on' }),
];

const run = (sql: string, documents: readonly QueryDocument[] = readings): QueryDocument[] => runSql(sql, documents);

/** The hours of the readings that a condition takes. */
const hoursWhere = (condition: string): number[] =>
  run(`SELECT time_requested AS t FROM readings WHERE ${condition}`).map((row) => (row as { t: Date }).t.getUTCHours());

describe('WHERE', () => {
  const cases: readonly [string, number[]][] = [
    ['data.readings.temp > 9', [0, 1]],
    ['data.readings.temp >= 9', [0, 1, 4]],
    ['9 < data.readings.temp', [0, 1]],
    ['data.readings.temp = 9', [4]],
    ['data.readings.temp != 9', [0, 1, 3, 5]],
    ['data.readings.temp <> 9', [0, 1, 3, 5]],
    ['NOT data.readings.temp = 9', [0, 1, 3, 5]],
    ['NOT (data.readings.temp > 9)', [3, 4]],
    ['NOT (data.readings.temp) > 9', [3, 4]],
    ['data.readings.temp = NULL', []],
    ['NOT (data.readings.temp = NULL)', []],
    ['data.readings.temp IS NULL', [2]],
    ['data.readings.temp IS NOT NULL', [0, 1, 3, 4, 5]],
    ['data.readings.state IS NULL', [4]],
    ['data.readings.temp BETWEEN 9 AND 20', [0, 4]],
    ['data.readings.temp NOT BETWEEN 9 AND 20', [1, 3]],
    ['data.readings.temp IN (4, 9, NULL)', [3, 4]],
    ['data.readings.temp NOT IN (4, 9)', [0, 1, 5]],
    ['data.readings.temp NOT IN (4, NULL)', []],
    ["data.readings.state LIKE 'o%'", [0, 1, 2, 5]],
    ["data.readings.state LIKE 'o_'", [0, 2, 5]],
    ["data.readings.state NOT LIKE 'o_'", [1, 3]],
    ["data.readings.state LIKE 'it''s%'", [3]],
    ["data.readings.state LIKE '%50\\%'", [3]],
    ["data.readings.state LIKE '%o.%'", []],
    ["data.readings.state = 'it\\'s_50%'", [3]],
    ["tags = 'hot'", [1]],
    ['data.readings.ok', [0, 2, 4]],
    ['NOT data.readings.ok', [1]],
    ['data.readings.ok IS TRUE', [0, 2, 4]],
    ['data.readings.ok IS NOT TRUE', [1, 3, 5]],
    ['data.readings.ok IS FALSE', [1]],
    ["component_name = 'oven' OR component_name = 'fridge' AND data.readings.temp = 4", [0, 1, 2, 3]],
    ["(component_name = 'oven' OR component_name = 'fridge') AND data.readings.temp = 4", [3]],
    ["NOT (component_name = 'oven' OR data.readings.temp = 4) AND data.readings.temp IS NOT NULL", [4, 5]],
    ['data.readings.temp > 5 AND (data.readings.temp < 10 OR NOT (data.readings.temp < 50))', [1, 4]],
    ["time_requested >= TIMESTAMP '2026-03-01 04:00:00'", [4, 5]],
    ["time_requested > '2026-03-01T04:00:00Z'", [5]],
    ["time_requested < TIMESTAMP '2026-03-01 02:00:00+01:00'", [0]],
    ["time_requested BETWEEN '2026-03-01 01:00:00' AND '2026-03-01 02:00:00'", [1, 2]],
    ["time_requested >= DATE '2026-03-02'", []],
    ["time_requested >= DATE '2024-02-29'", [0, 1, 2, 3, 4, 5]],
    ["CAST(time_requested AS DATE) = DATE '2026-03-01' AND data.readings.temp = 4", [3]],
    ["CAST(data.readings.temp AS STRING) = '12'", [5]],
    ['SAFE_CAST(data.readings.temp AS FLOAT64) = 12', [5]],
    ["CASE WHEN data.readings.temp > 50 THEN 'hot' WHEN data.readings.temp > 10 THEN 'warm' END = 'warm'", [0]],
    ['readings.data.readings.temp = 4', [3]],
    ['TRUE', [0, 1, 2, 3, 4, 5]],
    ['NULL', []],
  ];
  it.each(cases)('%s', (condition, hours) => expect(hoursWhere(condition)).toEqual(hours));
});

describe('SELECT', () => {
  const cases: readonly [string, unknown[]][] = [
    ['SELECT data.readings.temp FROM readings LIMIT 1', [{ temp: 20 }]],
    ['SELECT data.readings.temp AS t, 1 AS one FROM sensorData.readings LIMIT 1', [{ t: 20, one: 1 }]],
    ['SELECT data.readings.gone AS g FROM `sensorData.readings` r LIMIT 1', [{ g: null }]],
    ['SELECT r.component_name FROM readings AS r LIMIT 1', [{ component_name: 'oven' }]],
    ['SELECT `r`.component_name AS `the name` FROM readings AS `r` LIMIT 1', [{ 'the name': 'oven' }]],
    ['SELECT data.readings.temp AS "t" FROM readings ORDER BY t LIMIT 1', [{ t: null }]],
    ['SELECT \'$data\' AS text, "two" AS b FROM readings LIMIT 1', [{ text: '$data', b: 'two' }]],
    [
      'SELECT 2 - 3 - 4, 2 + 3 * 4, (2 + 3) * 4, 7 / 2, 7 % 4, -component_none FROM readings LIMIT 1',
      [{ f0_: -5, f1_: 14, f2_: 20, f3_: 3.5, f4_: 3, f5_: null }],
    ],
    ['SELECT data.readings.temp % 3 AS m FROM readings LIMIT 4', [{ m: 2 }, { m: 1.5 }, { m: null }, { m: 1 }]],
    [
      'SELECT data.readings.ok = TRUE AS b FROM readings OFFSET_LIMIT'.replace('OFFSET_LIMIT', 'LIMIT 4'),
      [{ b: true }, { b: false }, { b: true }, { b: null }],
    ],
    ["SELECT CASE data.readings.state WHEN 'on' THEN 1 ELSE 0 END AS x FROM readings LIMIT 2", [{ x: 1 }, { x: 0 }]],
    [
      'SELECT CAST(2.5 AS INT64) a, CAST(-2.5 AS INT64) b, CAST("7" AS FLOAT64) c, CAST(TRUE AS STRING) d, CAST("False" AS BOOL) e, SAFE_CAST("x" AS INT64) f FROM readings LIMIT 1',
      [{ a: 3, b: -3, c: 7, d: 'true', e: false, f: null }],
    ],
    [
      'SELECT DISTINCT component_name FROM readings ORDER BY component_name',
      [{ component_name: 'fridge' }, { component_name: 'oven' }],
    ],
    ['SELECT DISTINCT data.readings.ok FROM readings ORDER BY 1 DESC', [{ ok: true }, { ok: false }, { ok: null }]],
    ['SELECT data.readings.temp AS t FROM readings ORDER BY time_requested DESC LIMIT 2', [{ t: '12' }, { t: 9 }]],
    [
      'SELECT data.readings.temp AS t FROM readings WHERE data.readings.temp < 1000 ORDER BY t LIMIT 2 OFFSET 1',
      [{ t: 9 }, { t: 20 }],
    ],
    [
      'SELECT component_name AS n FROM readings WHERE data.readings.temp < 1000 ORDER BY -data.readings.temp LIMIT 1',
      [{ n: 'oven' }],
    ],
    [
      'SELECT data.readings.temp AS t FROM readings ORDER BY component_name DESC, t DESC LIMIT 3',
      [{ t: 100.5 }, { t: 20 }, { t: null }],
    ],
    ['SELECT data.readings.temp AS t FROM readings LIMIT 0', []],
    [
      'SELECT data.readings.temp AS t FROM readings ORDER BY CASE WHEN t = 4 THEN 1 ELSE 0 END DESC LIMIT 1',
      [{ t: 4 }],
    ],
    ['SELECT * FROM readings LIMIT 1', [readings[0]]],
    ['SELECT *, 1 AS one FROM readings LIMIT 1', [{ ...readings[0], one: 1 }]],
  ];
  it.each(cases)('%s', (sql, rows) => expect(run(sql)).toEqual(rows));
});

describe('fields that every object has', () => {
  const rows = [{ a: { constructor: 'x' } }, { a: { constructor: 'y' } }, { a: { constructor: 'x' } }];
  const x = { a: { constructor: 'x' } };
  const y = { a: { constructor: 'y' } };

  it.each<[string, unknown[]]>([
    ['SELECT DISTINCT * FROM readings', [x, y]],
    ['SELECT DISTINCT a FROM readings', [x, y]],
    ['SELECT DISTINCT a.constructor AS c FROM readings', [{ c: 'x' }, { c: 'y' }]],
    [
      'SELECT a, COUNT(*) AS n FROM readings GROUP BY a',
      [
        { ...x, n: 2 },
        { ...y, n: 1 },
      ],
    ],
    ['SELECT COUNT(*) AS n FROM readings GROUP BY a, a.constructor', [{ n: 2 }, { n: 1 }]],
    ['SELECT COUNT(DISTINCT a) AS n, COUNT(DISTINCT a.constructor) AS m FROM readings', [{ n: 2, m: 2 }]],
    ['SELECT a.constructor AS c FROM readings ORDER BY c LIMIT 2', [{ c: 'x' }, { c: 'x' }]],
  ])('%s', (sql, answer) => expect(run(sql, rows)).toEqual(answer));

  it('are DISTINCT at the top too', () => {
    const tops: unknown[] = [{ constructor: 'x', valueOf: 1 }, { valueOf: 1, constructor: 'x' }, { constructor: 'y' }];
    expect(run('SELECT DISTINCT * FROM readings', tops as QueryDocument[])).toEqual([tops[0], tops[2]]);
  });
});

describe('what of a SELECT the storage answers', () => {
  const cases: readonly [string, object][] = [
    ["SELECT * FROM readings WHERE part_id = 'p'", { filter: { partId: 'p' }, answered: 1 }],
    ["SELECT * FROM readings WHERE component_name = 'oven' AND time_requested < '1970-01-01T00:00:01Z'", { filter: { componentName: 'oven', interval: { start: null, end: 1_000_000 } }, answered: 1 }],
    ["SELECT * FROM readings WHERE location_id IN ('a', 'b', NULL)", { filter: { locationIds: ['a', 'b'] }, answered: 1 }],
    ['SELECT * FROM readings WHERE 5 <= data.readings.temp', { hints: [{ path: 'data.readings.temp', from: { value: 5, inclusive: true }, to: null }] }],
    ["SELECT * FROM readings WHERE part_id != 'p'", { answered: 0, hints: [] }],
    ['SELECT data.readings.temp AS t FROM readings ORDER BY time_requested DESC LIMIT 2', { order: 'descending', limit: 2 }],
    ['SELECT time_requested AS t FROM readings ORDER BY t LIMIT 2 OFFSET 3', { order: 'ascending', limit: 5 }],
    ['SELECT COUNT(*) AS n FROM readings ORDER BY n LIMIT 2', { limit: Infinity }],
  ]; // prettier-ignore
  it.each(cases)('%s', (sql, plan) => {
    const stages = compileSelect(parseSql(sql));
    expect(planReading('a', { start: null, end: null }, stages)).toMatchObject(plan);
  });
});

it('refuses to take a text that is neither for a truth value', () => {
  expect(() => run("SELECT CAST('maybe' AS BOOL) AS b FROM readings LIMIT 1")).toThrow('"maybe"');
});

describe('GROUP BY', () => {
  const cases: readonly [string, unknown[]][] = [
    ['SELECT COUNT(*) AS n FROM readings', [{ n: 6 }]],
    ['SELECT COUNT(*) FROM readings', [{ f0_: 6 }]],
    ['SELECT COUNT(data.readings.temp) AS n, COUNT(DISTINCT data.readings.state) AS d FROM readings', [{ n: 5, d: 3 }]],
    [
      'SELECT SUM(data.readings.temp) s, AVG(data.readings.temp) a, MIN(data.readings.temp) lo FROM readings WHERE component_name = "oven"',
      [{ s: 120.5, a: 60.25, lo: 20 }],
    ],
    [
      'SELECT COUNT(*) n, SUM(data.readings.temp) s, AVG(data.readings.temp) a, MAX(data.readings.temp) m FROM readings WHERE FALSE',
      [{ n: 0, s: null, a: null, m: null }],
    ],
    ['SELECT component_name, COUNT(*) AS n FROM readings WHERE FALSE GROUP BY component_name', []],
    [
      'SELECT component_name, COUNT(*) AS n FROM readings GROUP BY component_name ORDER BY 1',
      [
        { component_name: 'fridge', n: 3 },
        { component_name: 'oven', n: 3 },
      ],
    ],
    [
      'SELECT component_name AS c, MAX(data.readings.temp) AS m FROM readings WHERE data.readings.temp < 1000 GROUP BY c ORDER BY m DESC',
      [
        { c: 'oven', m: 100.5 },
        { c: 'fridge', m: 9 },
      ],
    ],
    [
      'SELECT data.readings.state, component_name, COUNT(*) AS n FROM readings GROUP BY 1, 2 HAVING COUNT(*) > 1',
      [{ state: 'on', component_name: 'oven', n: 2 }],
    ],
    [
      'SELECT component_name, COUNT(*) * 2 + 1 AS n FROM readings GROUP BY component_name HAVING n > 1 ORDER BY COUNT(*), component_name LIMIT 1',
      [{ component_name: 'fridge', n: 7 }],
    ],
    [
      'SELECT data.readings.ok FROM readings GROUP BY data.readings.ok ORDER BY data.readings.ok',
      [{ ok: null }, { ok: false }, { ok: true }],
    ],
    ['SELECT CAST(time_requested AS DATE) AS day, COUNT(*) AS n FROM readings GROUP BY day', [{ day: hour(0), n: 6 }]],
    ['SELECT COUNT(*) AS n FROM readings HAVING COUNT(*) > 6', []],
  ];
  it.each(cases)('%s', (sql, rows) => expect(run(sql)).toEqual(rows));
});

describe('beyond the subset', () => {
  const cases: readonly [string, string][] = [
    ['DELETE FROM readings', 'not DELETE'],
    ['INSERT INTO readings VALUES (1)', 'not INSERT'],
    ['SELECT a FROM readings; DELETE FROM readings', 'one SELECT'],
    ['SELECT a FROM users', 'There is no table users; there is readings, or sensorData.readings (line 1, column 15)'],
    ['SELECT a FROM other.readings', 'no table other.readings'],
    ['SELECT 1', 'FROM readings is missing'],
    ['SELECT a FROM readings, readings b', 'no JOIN'],
    ['SELECT a FROM readings JOIN readings b ON TRUE', 'no JOIN'],
    ['SELECT (SELECT 1) FROM readings', 'A query within an expression'],
    ['SELECT a FROM readings WHERE a IN (SELECT 1)', 'A query within an expression'],
    ['SELECT a FROM readings UNION ALL SELECT a FROM readings', 'UNION is not supported: a query is one SELECT'],
    ['SELECT SUM(a) OVER (PARTITION BY b) FROM readings', 'OVER is not supported (line 1, column 15)'],
    ['SELECT REVERSE(a) FROM readings', 'The function REVERSE is not supported'],
    ['SELECT a || b FROM readings', 'The operator || is not supported'],
    ['SELECT tags[0] FROM readings', 'Brackets are not supported'],
    ['SELECT * EXCEPT (a) FROM readings', 'EXCEPT or REPLACE is not supported'],
    ['SELECT a FROM readings WHERE COUNT(*) > 1', 'HAVING, not into WHERE'],
    ['SELECT a, COUNT(*) FROM readings', 'a must stand in GROUP BY or inside an aggregate (line 1, column 8)'],
    ['SELECT SUM(COUNT(*)) FROM readings', 'cannot stand inside another'],
    ['SELECT a, b AS a FROM readings', 'Two columns are named a'],
    ['SELECT a FROM readings ORDER BY 2', 'There is no column 2'],
    ['SELECT DISTINCT a FROM readings ORDER BY b', 'only what is selected'],
    ['SELECT a FROM readings LIMIT 5, 6', 'LIMIT n OFFSET m'],
    ["SELECT a FROM readings WHERE time_requested > 'soon'", '"soon" is not a date or a time'],
    ["SELECT a FROM readings WHERE time_requested > '2026-02-29'", '"2026-02-29" is not a date or a time'],
    ["SELECT a FROM readings WHERE a > DATE '2026-04-31'", '"2026-04-31" is not a date or a time'],
    ['SELECT a FROM readings WHERE a LIKE b', 'LIKE takes a text'],
    ['SELECT a FROM readings WHERE a + 1', 'A condition is expected here'],
    ['SELECT a.`b.c` FROM readings', 'cannot be part of a path'],
    ['SELECT a AS `$x` FROM readings', 'cannot be the name of a column'],
    ['SELECT a FRM readings', '(line 1, column'],
    ['SELECT a\nFROM readings\nWHERE ==', '(line 3, column'],
    ['SELECT a FROM readings WHERE ROUND(a)', 'A condition is expected here (line 1, column 30)'],
    ['SELECT a FROM readings WHERE UPPER(a)', 'A condition is expected here'],
    ['SELECT a FROM readings WHERE DATE_TRUNC(a, DAY)', 'A condition is expected here'],
    ['', 'A query is one SELECT'],
  ];
  it.each(cases)('%s', (sql, message) => {
    expect(() => compileSelect(parseSql(sql))).toThrow(message);
    expect(() => compileSelect(parseSql(sql))).toThrow(expect.objectContaining({ code: 'invalid-query' }));
  });
});
