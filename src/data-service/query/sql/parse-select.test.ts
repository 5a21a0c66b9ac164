import { describe, expect, it } from 'vitest';
import { parseSql } from './parse-sql.ts';
import type { Select } from './parse-select.ts';

const path = (name: string) => expect.objectContaining({ kind: 'path', path: name }) as unknown;
const literal = (value: unknown) => expect.objectContaining({ kind: 'literal', value }) as unknown;

describe('a SELECT', () => {
  const empty: Select = {
    distinct: false,
    star: false,
    columns: [],
    where: null,
    groupBy: [],
    having: null,
    orderBy: [],
    source: { kind: 'readings' },
    queries: 1,
    limit: null,
    offset: 0,
  };
  const a = { expression: path('a'), name: 'a' };
  const cases: readonly [string, object][] = [
    ['SELECT a FROM readings', { columns: [a] }],
    ['select\ta\nfrom readings ;;', { columns: [a] }],
    ['SELECT(a)FROM readings', { columns: [a] }],
    ['SELECT*FROM readings', { star: true }],
    ['SELECT ALL a FROM readings', { columns: [a] }],
    ['SELECT DISTINCT a FROM readings', { distinct: true, columns: [a] }],
    ['SELECT DISTINCT(a) FROM readings', { distinct: true, columns: [a] }],
    ['SELECT * FROM readings', { star: true }],
    ['SELECT *, *, a FROM readings', { star: true, columns: [a] }],
    ['SELECT a, * FROM readings', { star: true, columns: [a] }],
    ['SELECT a, FROM readings', { columns: [a] }],
    ['SELECT *, FROM readings', { star: true }],
    // names of columns
    [
      'SELECT data.readings.temp FROM readings',
      { columns: [{ expression: path('data.readings.temp'), name: 'temp' }] },
    ],
    ['SELECT 1 FROM readings', { columns: [{ expression: literal(1), name: null }] }],
    ['SELECT 1 x FROM readings', { columns: [{ expression: literal(1), name: 'x' }] }],
    ['SELECT 1 AS `x y` FROM readings', { columns: [{ expression: literal(1), name: 'x y' }] }],
    [
      'SELECT a \'b\', a AS "select" FROM readings',
      {
        columns: [
          { ...a, name: 'b' },
          { ...a, name: 'select' },
        ],
      },
    ],
    ['SELECT a offset FROM readings', { columns: [{ ...a, name: 'offset' }] }],
    ["SELECT r 'x' FROM readings", { columns: [{ expression: path('r'), name: 'x' }] }],
    ['SELECT (a) FROM readings', { columns: [a] }],
    ['SELECT +a FROM readings', { columns: [a] }],
    // the table, and its name before a path
    ['SELECT a FROM sensorData.readings', { columns: [a] }],
    ['SELECT a FROM `sensorData.readings`', { columns: [a] }],
    ['SELECT a FROM `sensorData`."readings"', { columns: [a] }],
    ['SELECT readings.a FROM readings', { columns: [a] }],
    ['SELECT readings.readings FROM readings', { columns: [{ expression: path('readings'), name: 'readings' }] }],
    ['SELECT readings FROM readings', { columns: [{ expression: path('readings'), name: 'readings' }] }],
    ['SELECT r.a, r FROM readings r', { columns: [a, { expression: path('r'), name: 'r' }] }],
    ['SELECT r.a FROM readings AS `r`', { columns: [a] }],
    ['SELECT readings.a FROM readings AS r', { columns: [{ expression: path('readings.a'), name: 'a' }] }],
    ['SELECT R.a FROM readings AS r', { columns: [{ expression: path('R.a'), name: 'a' }] }],
    ['SELECT x.y.a FROM readings `x.y`', { columns: [{ expression: path('x.y.a'), name: 'a' }] }],
    [
      'SELECT -r.a AS a FROM readings r',
      { columns: [{ expression: { kind: 'negate', operand: path('a') }, name: 'a' }] },
    ],
    [
      'SELECT a FROM readings r WHERE r.b GROUP BY r.c, d HAVING r.e ORDER BY r.f',
      {
        columns: [a],
        where: path('b'),
        groupBy: [path('c'), path('d')],
        having: path('e'),
        orderBy: [{ expression: path('f'), direction: 1 }],
      },
    ],
    // order and cut
    [
      'SELECT a FROM readings ORDER BY a ASC, 1 desc, c',
      {
        columns: [a],
        orderBy: [
          { expression: path('a'), direction: 1 },
          { expression: literal(1), direction: -1 },
          { expression: path('c'), direction: 1 },
        ],
      },
    ],
    ['SELECT a FROM readings LIMIT 0', { columns: [a], limit: 0 }],
    ['SELECT a FROM readings LIMIT 5 OFFSET 2', { columns: [a], limit: 5, offset: 2 }],
    ['SELECT a FROM readings limit +5 offset 2.0', { columns: [a], limit: 5, offset: 2 }],
  ];
  it.each(cases)('%s', (sql, select) => expect(parseSql(sql)).toMatchObject({ ...empty, ...select }));
});

describe('what is no SELECT', () => {
  const cases: readonly [string, string][] = [
    ['', 'A query is one SELECT (line 1, column 1)'],
    [' ; SELECT a FROM readings', 'A query is one SELECT (line 1, column 2)'],
    ['EXPLAIN SELECT a FROM readings', 'A query is a SELECT, not EXPLAIN (line 1, column 1)'],
    ['5', 'A query is a SELECT, not "5" (line 1, column 1)'],
    ['(SELECT a FROM readings)', 'A query is a SELECT, without parentheses around it (line 1, column 1)'],
    ['WITH x AS (SELECT 1) SELECT a FROM x', 'FROM readings is expected, not ")" (line 1, column 20)'],
    ['SELECT a FROM readings; SELECT b FROM readings', 'A query is one SELECT (line 1, column 25)'],
    ['SELECT a FROM readings SELECT b FROM readings', 'A query is one SELECT (line 1, column 24)'],
    ['SELECT a FROM readings UNION ALL SELECT 1', 'UNION is not supported: a query is one SELECT (line 1, column 24)'],
    ['SELECT a', 'FROM readings is missing (line 1, column 9)'],
    ['SELECT a b c', 'An operator, a comma or FROM readings is expected, not "c" (line 1, column 12)'],
    ['SELECT FROM readings', 'A value is expected, not FROM'],
    ['SELECT , a FROM readings', 'A value is expected, not "," (line 1, column 8)'],
    ['SELECT a,, b FROM readings', 'A value is expected, not "," (line 1, column 10)'],
    ['SELECT * EXCEPT (a) FROM readings', 'EXCEPT or REPLACE is not supported (line 1, column 10)'],
    ['SELECT * a FROM readings', 'An operator, a comma or FROM readings is expected, not "a" (line 1, column 10)'],
    ['SELECT a AS select FROM readings', 'select is a word of SQL; a name like it is written in backticks'],
    ['SELECT a AS 5 FROM readings', 'A name is expected, not "5" (line 1, column 13)'],
    ['SELECT a AS `$x` FROM readings', '"$x" cannot be the name of a column (line 1, column 13)'],
    ['SELECT a AS `x.y` FROM readings', '"x.y" cannot be the name of a column (line 1, column 13)'],
    ['SELECT a AS "" FROM readings', '"" cannot be the name of a column (line 1, column 13)'],
    ['SELECT a AS __proto__ FROM readings', '"__proto__" cannot be the name of a column (line 1, column 13)'],
    ['SELECT a FROM', 'A name is expected, not the end of the query (line 1, column 14)'],
    ['SELECT a FROM users', 'There is no table users; there is readings, or sensorData.readings (line 1, column 15)'],
    ['SELECT a FROM Readings', 'There is no table Readings'],
    ['SELECT a FROM x.sensorData.readings', 'There is no table x.sensorData.readings'],
    ['SELECT a FROM (readings)', 'A query is a SELECT, not READINGS (line 1, column 16)'],
    ['SELECT a FROM ((SELECT a FROM readings))', 'A query is a SELECT, without parentheses around it'],
    ['SELECT a FROM (SELECT a FROM readings', '")" is expected, not the end of the query (line 1, column 38)'],
    ['SELECT a FROM (SELECT a FROM readings;)', '")" is expected, not ";" (line 1, column 38)'],
    ['SELECT a FROM (SELECT a FROM readings UNION SELECT 1)', 'UNION is not supported'],
    ['SELECT a FROM (SELECT a FROM readings), readings', 'A query reads one table: no JOIN'],
    ['SELECT a FROM UNNEST(b)', 'UNNEST is not supported: FROM takes readings, or a query in parentheses'],
    ['WITH SELECT a FROM readings', 'SELECT is a word of SQL; a name like it is written in backticks'],
    ['WITH x SELECT a FROM x', 'AS is expected, not "SELECT"'],
    ['WITH x AS SELECT a FROM readings', '"(" is expected, not "SELECT"'],
    ['WITH x(a) AS (SELECT 1 FROM readings) SELECT a FROM x', 'Columns are named in the SELECT, with AS'],
    ['WITH x AS (SELECT a FROM readings), SELECT a FROM x', 'SELECT is a word of SQL'],
    ['WITH x AS (SELECT a FROM readings)', 'A query is one SELECT (line 1, column 35)'],
    ['WITH x AS (SELECT a FROM readings), x AS (SELECT a FROM readings) SELECT a FROM x', 'Two queries are named x'],
    ['WITH RECURSIVE x AS (SELECT a FROM x) SELECT a FROM x', 'WITH RECURSIVE is not supported (line 1, column 6)'],
    ['WITH x AS (SELECT a FROM x) SELECT a FROM x', 'There is no table x; there is readings, or sensorData.readings'],
    ['WITH x AS (SELECT a FROM y), y AS (SELECT a FROM x) SELECT a FROM y', 'There is no table y'],
    ['WITH x AS (SELECT a FROM readings) SELECT a FROM z', 'no table z; there is x, readings, or sensorData.readings'],
    ...[', b', 'JOIN b', 'INNER JOIN b', 'LEFT JOIN b', 'FULL JOIN b', 'CROSS JOIN b', 'r, b'].map(
      (more): [string, string] => [`SELECT a FROM readings ${more}`, 'A query reads one table: no JOIN'],
    ),
    ['SELECT a FROM readings WHERE', 'A value is expected, not the end of the query (line 1, column 29)'],
    ['SELECT a FROM readings WHERE a, b', 'An operator, a clause or the end is expected, not "," (line 1, column 31)'],
    ['SELECT a FROM readings WHERE a b', 'An operator, a clause or the end is expected, not "b" (line 1, column 32)'],
    ['SELECT a FROM readings WHERE a || b', 'The operator || is not supported (line 1, column 32)'],
    ['SELECT a FROM readings WHERE a == b', 'The operator == is not supported; write = (line 1, column 32)'],
    [
      'SELECT a FROM readings WHERE COUNT(*) > 1',
      'An aggregate belongs into HAVING, not into WHERE (line 1, column 30)',
    ],
    ["SELECT a FROM readings WHERE a LIKE 'x' ESCAPE 'y'", 'ESCAPE is not supported (line 1, column 41)'],
    ['SELECT a FROM readings GROUP a', 'BY is expected, not "a" (line 1, column 30)'],
    ['SELECT a FROM readings ORDER a', 'BY is expected, not "a" (line 1, column 30)'],
    ['SELECT a FROM readings ORDER BY a NULLS FIRST', 'NULLS is not supported (line 1, column 35)'],
    ["SELECT a FROM readings ORDER BY a COLLATE 'x'", 'COLLATE is not supported (line 1, column 35)'],
    ['SELECT a FROM readings PIVOT (b)', 'PIVOT is not supported (line 1, column 24)'],
    ['SELECT a FROM readings TABLESAMPLE BERNOULLI (1 PERCENT)', 'is expected, not "BERNOULLI" (line 1, column 36)'],
    [
      'SELECT a FROM readings ORDER BY a WHERE b',
      'not "WHERE"; the order is SELECT, FROM, WHERE, GROUP BY, HAVING, ORDER BY, LIMIT, OFFSET (line 1, column 35)',
    ],
    ['SELECT a FROM readings LIMIT 1 ORDER BY a', 'not "ORDER"; the order is SELECT'],
    ['SELECT a FROM readings OFFSET 1', 'An operator, a clause or the end is expected, not "1" (line 1, column 31)'],
    ...['-1', '1.5', 'a', "'1'", 'NULL', '1 + 1', '1e30'].map((count): [string, string] => [
      `SELECT a FROM readings LIMIT ${count}`,
      'LIMIT and OFFSET take whole numbers (line 1, column 30)',
    ]),
    ['SELECT a FROM readings LIMIT 1 OFFSET -1', 'LIMIT and OFFSET take whole numbers (line 1, column 39)'],
    ['SELECT a FROM readings LIMIT 1, 2', 'Write LIMIT n OFFSET m (line 1, column 31)'],
    [`SELECT a FROM readings${' '.repeat(19_979)}`, 'The query has 20001 characters; at most 20000 are read.'],
  ];
  it.each(cases)('%s', (sql, message) => expect(() => parseSql(sql)).toThrow(message));

  it('is only what it says', () => expect(() => parseSql(`SELECT a FROM readings${' '.repeat(19_978)}`)).not.toThrow());
});
