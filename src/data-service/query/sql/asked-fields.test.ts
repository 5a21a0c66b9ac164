import { expect, it } from 'vitest';
import { askedFields } from './asked-fields.ts';
import { parseSql } from './parse-sql.ts';

it.each([
  ['SELECT * FROM readings', []],
  ['SELECT *, r.a.b AS x FROM readings r WHERE c > 1 AND NOT (UPPER(d) IN (e))', ['a.b', 'c', 'd', 'e']],
  [
    'SELECT a AS x, COUNT(b) AS n FROM readings GROUP BY x, c HAVING MAX(n) > n ORDER BY n, d',
    ['a', 'b', 'c', 'n', 'd'],
  ],
  ['SELECT CASE WHEN a THEN b ELSE c END AS d, a FROM readings', ['a', 'b', 'c']],
  ['SELECT t FROM (SELECT a.b AS t FROM readings WHERE c = 1) WHERE t > 5', ['a.b', 'c']],
  ['WITH x AS (SELECT a FROM readings), y AS (SELECT b FROM readings) SELECT a FROM x', ['a']],
])('%s asks of readings %j', (sql, fields) => expect(askedFields(parseSql(sql))).toEqual(fields));
