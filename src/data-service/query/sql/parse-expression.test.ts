import { describe, expect, it } from 'vitest';
import { parseExpression } from './parse-expression.ts';
import type { SqlExpression } from './sql-expression.ts';
import { sqlTokens } from './sql-token.ts';
import { TokenReader } from './token-reader.ts';

const parse = (sql: string): SqlExpression => parseExpression(new TokenReader(sqlTokens(sql)));

/** A tree in one line: an operator before its operands, in brackets. */
function outline(expression: SqlExpression): string {
  const list = (name: string, ...parts: readonly (SqlExpression | string)[]): string =>
    `(${[name, ...parts.map((part) => (typeof part === 'string' ? part : outline(part)))].join(' ')})`;
  switch (expression.kind) {
    case 'path':
      return expression.path;
    case 'literal':
      return expression.value instanceof Date ? expression.value.toISOString() : JSON.stringify(expression.value);
    case 'compare':
    case 'arithmetic':
      return list(expression.operator, expression.left, expression.right);
    case 'and':
    case 'or':
      return list(expression.kind, ...expression.operands);
    case 'not':
    case 'negate':
      return list(expression.kind, expression.operand);
    case 'is':
      return list('is', expression.operand, String(expression.value));
    case 'in':
      return list('in', expression.operand, ...expression.list);
    case 'like':
      return list('like', expression.operand, JSON.stringify(expression.pattern));
    case 'case': {
      const branches = expression.branches.flatMap(({ when, then }) => [when, then]);
      return list('case', ...branches, ...(expression.otherwise ? ['else', expression.otherwise] : []));
    }
    case 'round':
      return list('round', expression.operand, String(expression.digits));
    case 'upper':
    case 'lower':
      return list(expression.kind, expression.operand);
    case 'date-trunc':
      return list('date-trunc', expression.operand, expression.unit);
    case 'coalesce':
      return list('coalesce', ...expression.operands);
    case 'cast':
      return list(expression.safe ? 'safe-cast' : 'cast', expression.operand, expression.type);
    case 'aggregate':
      return list(expression.name, ...(expression.distinct ? ['distinct'] : []), expression.argument ?? '*');
  }
}

describe('an expression', () => {
  const cases: readonly [string, string][] = [
    // literals
    ['1', '1'],
    ['007', '7'],
    ['1.50', '1.5'],
    ['1e3', '1000'],
    ['2.5E-1', '0.25'],
    ['-5', '-5'],
    ['+5', '5'],
    ['- 5', '(negate 5)'],
    ['-(5)', '(negate 5)'],
    ['9007199254740993', '9007199254740992'],
    ["'it''s'", '"it\'s"'],
    ['"two"', '"two"'],
    ["''", '""'],
    ['TRUE', 'true'],
    ['false', 'false'],
    ['Null', 'null'],
    ["DATE '2026-03-01'", '2026-03-01T00:00:00.000Z'],
    ["timestamp'2026-03-01 10:00:00.5+01:00'", '2026-03-01T09:00:00.500Z'],
    ['DATETIME "2026-03-01T10:00:00"', '2026-03-01T10:00:00.000Z'],
    // paths
    ['a', 'a'],
    ['`net weight`', 'net weight'],
    ['data.readings.temp', 'data.readings.temp'],
    ['data . readings\n.temp', 'data.readings.temp'],
    ['data.`a b`."c d".\'e f\'', 'data.a b.c d.e f'],
    ['data.order.end.select', 'data.order.end.select'],
    ['case.when', 'case.when'],
    ['not.a', 'not.a'],
    ['null.a', 'null.a'],
    ['count', 'count'],
    ['date', 'date'],
    ['offset', 'offset'],
    ['interval', 'interval'],
    ['`order`', 'order'],
    // precedence
    ['a OR b AND c', '(or a (and b c))'],
    ['a AND b OR c', '(or (and a b) c)'],
    ['a AND b AND c', '(and a b c)'],
    ['a AND (b AND c)', '(and a (and b c))'],
    ['(a OR b) AND c', '(and (or a b) c)'],
    ['a or b Or c', '(or a b c)'],
    ['NOT a AND b', '(and (not a) b)'],
    ['NOT a = b', '(not (= a b))'],
    ['NOT (a) = b', '(not (= a b))'],
    ['(NOT (a)) = b', '(= (not a) b)'],
    ['NOT NOT a', '(not (not a))'],
    ['NOT a IS NULL', '(not (is a null))'],
    ['a = NOT (b)', '(= a (not b))'],
    ['a + NOT (b OR c) = d', '(= (+ a (not (or b c))) d)'],
    ['!a', '(not a)'],
    ['!a = b', '(= (not a) b)'],
    ['a = !b', '(= a (not b))'],
    ['-!a', '(negate (not a))'],
    ['a + b * c', '(+ a (* b c))'],
    ['a * b + c', '(+ (* a b) c)'],
    ['(a + b) * c', '(* (+ a b) c)'],
    ['a - b - c', '(- (- a b) c)'],
    ['a - (b - c)', '(- a (- b c))'],
    ['a / b * c % d', '(% (* (/ a b) c) d)'],
    ['a - b / c - d', '(- (- a (/ b c)) d)'],
    ['-a * b', '(* (negate a) b)'],
    ['a * -b', '(* a (negate b))'],
    ['-a.b', '(negate a.b)'],
    ['+-+a', '(negate a)'],
    ['2-3', '(- 2 3)'],
    ['2 - -3', '(- 2 -3)'],
    ['2 -3', '(- 2 3)'],
    ['a-1', '(- a 1)'],
    ['a --1\n', 'a'],
    ['a = b + 1', '(= a (+ b 1))'],
    ['a < b = c', '(= (< a b) c)'],
    ['a < (b = c)', '(< a (= b c))'],
    // comparisons
    ['a = 1', '(= a 1)'],
    ['a != 1', '(!= a 1)'],
    ['a <> 1', '(!= a 1)'],
    ['a < 1', '(< a 1)'],
    ['a <= 1', '(<= a 1)'],
    ['a > 1', '(> a 1)'],
    ['a>=-1', '(>= a -1)'],
    ['a IS NULL', '(is a null)'],
    ['a IS NOT NULL', '(not (is a null))'],
    ['a IS TRUE', '(is a true)'],
    ['a IS NOT FALSE', '(not (is a false))'],
    ['a IS (NULL)', '(is a null)'],
    ['a + 1 IS NULL', '(is (+ a 1) null)'],
    ['a IN (1)', '(in a 1)'],
    ['a IN (1, b + 1, c = d, e OR f)', '(in a 1 (+ b 1) (= c d) (or e f))'],
    ['a NOT IN ((1), NULL)', '(not (in a 1 null))'],
    ["a LIKE 'x%'", '(like a "x%")'],
    ["a NOT LIKE ('x\\_')", '(not (like a "x\\\\_"))'],
    ['a BETWEEN 1 AND 2', '(and (>= a 1) (<= a 2))'],
    ['a NOT BETWEEN 1 AND 2', '(not (and (>= a 1) (<= a 2)))'],
    ['a BETWEEN 1 AND 2 AND b', '(and (and (>= a 1) (<= a 2)) b)'],
    ['a + 1 BETWEEN b - 1 AND c * 2', '(and (>= (+ a 1) (- b 1)) (<= (+ a 1) (* c 2)))'],
    // CASE
    ['CASE WHEN a THEN 1 END', '(case a 1)'],
    ['CASE WHEN a THEN 1 ELSE 2 END', '(case a 1 else 2)'],
    ['CASE WHEN a = 1 THEN 1 WHEN b OR c THEN d AND e END', '(case (= a 1) 1 (or b c) (and d e))'],
    ['CASE a WHEN 1 THEN 2 WHEN b + 1 THEN 3 ELSE 4 END', '(case (= a 1) 2 (= a (+ b 1)) 3 else 4)'],
    ['CASE (a) WHEN 1 THEN 2 END CASE', '(case (= a 1) 2)'],
    ['case when a then-1 else-2 end', '(case a -1 else -2)'],
    ['CASE CASE WHEN a THEN b END WHEN 1 THEN 2 END + 1', '(+ (case (= (case a b) 1) 2) 1)'],
    // CAST
    ['CAST(a AS INT64)', '(cast a int)'],
    ['CAST(a AS INTEGER)', '(cast a int)'],
    ['CAST(a AS FLOAT64)', '(cast a double)'],
    ['CAST(a AS NUMERIC)', '(cast a double)'],
    ['CAST(a AS DECIMAL)', '(cast a double)'],
    ['CAST(a AS STRING)', '(cast a string)'],
    ['CAST(a AS BOOL)', '(cast a bool)'],
    ['CAST(a AS TIMESTAMP)', '(cast a timestamp)'],
    ['CAST(a AS DATETIME)', '(cast a timestamp)'],
    ['CAST(a AS DATE)', '(cast a date)'],
    ['safe_cast (a + 1 as int64)', '(safe-cast (+ a 1) int)'],
    // aggregates
    ['COUNT(*)', '(COUNT *)'],
    ['count ( * )', '(COUNT *)'],
    ['COUNT(a OR b)', '(COUNT (or a b))'],
    ['COUNT(DISTINCT a)', '(COUNT distinct a)'],
    ['COUNT(DISTINCT (a) + 1)', '(COUNT distinct (+ a 1))'],
    ['SUM(a)', '(SUM a)'],
    ['Avg(a + 1)', '(AVG (+ a 1))'],
    ['MIN((a = 1))', '(MIN (= a 1))'],
    ['MAX(-a) / COUNT(*)', '(/ (MAX (negate a)) (COUNT *))'],
    ['SUM(SUM(a))', '(SUM (SUM a))'],
    ['SUM(DISTINCT a)', '(SUM distinct a)'],
    ['min(distinct a + 1)', '(MIN distinct (+ a 1))'],
    // functions of a value
    ['ROUND(a + 0.5)', '(round (+ a 0.5) 0)'],
    ['round ( a , 2 )', '(round a 2)'],
    ['ROUND(AVG(a), -3)', '(round (AVG a) -3)'],
    ['UPPER(a.b)', '(upper a.b)'],
    ["Lower('X') = 'x'", '(= (lower "X") "x")'],
    ['COALESCE(a)', '(coalesce a)'],
    ['COALESCE(a, b OR c, 1)', '(coalesce a (or b c) 1)'],
    ['DATE_TRUNC(a, DAY)', '(date-trunc a day)'],
    ["date_trunc(TIMESTAMP '2026-03-01', 'isoweek')", '(date-trunc 2026-03-01T00:00:00.000Z isoweek)'],
    ['DATE_TRUNC(NULL, Quarter)', '(date-trunc null quarter)'],
    ['round', 'round'],
    ['upper.lower', 'upper.lower'],
    ['`ROUND`', 'ROUND'],
  ];
  it.each(cases)('%s', (sql, tree) => expect(outline(parse(sql))).toBe(tree));

  it('stands where it begins', () => {
    const expression = parse('\n  a + b = -c');
    expect(expression).toMatchObject({ at: { line: 2, column: 3 }, right: { at: { line: 2, column: 11 } } });
    expect(parse('  NOT a')).toMatchObject({ at: { line: 1, column: 3 }, operand: { at: { line: 1, column: 7 } } });
  });

  it('ends before what does not belong to it', () => {
    const tokens = new TokenReader(sqlTokens('a + b, c'));
    parseExpression(tokens);
    expect(tokens.peek().value).toBe(',');
  });
});

describe('what is no expression', () => {
  const cases: readonly [string, string][] = [
    ['', 'A value is expected, not the end of the query (line 1, column 1)'],
    ['a +', 'A value is expected, not the end of the query (line 1, column 4)'],
    ['a = )', 'A value is expected, not ")" (line 1, column 5)'],
    ['.5', 'A value is expected, not "." (line 1, column 1)'],
    ['*', 'A value is expected, not "*" (line 1, column 1)'],
    ['é', 'A value is expected, not "é" (line 1, column 1)'],
    ['END', 'A value is expected, not END; a column of that name is written in backticks (line 1, column 1)'],
    ['a AND order', 'A value is expected, not ORDER; a column of that name is written in backticks (line 1, column 7)'],
    ['(a', '")" is expected, not the end of the query (line 1, column 3)'],
    ['(a, b)', 'A list of values stands only after IN (line 1, column 3)'],
    ['(SELECT 1)', 'A query within an expression is not supported; one stands in FROM, or in WITH (line 1, column 2)'],
    [
      'EXISTS (SELECT 1)',
      'A query within an expression is not supported; one stands in FROM, or in WITH (line 1, column 1)',
    ],
    [
      'a IN (SELECT 1)',
      'A query within an expression is not supported; one stands in FROM, or in WITH (line 1, column 7)',
    ],
    [
      'a IN (WITH x)',
      'A query within an expression is not supported; one stands in FROM, or in WITH (line 1, column 7)',
    ],
    ["a IN 'x'", 'A list of values in parentheses is expected, not "x" (line 1, column 6)'],
    ['a IN ()', 'A value is expected, not ")" (line 1, column 7)'],
    ['a IN (1, 2', '")" is expected, not the end of the query (line 1, column 11)'],
    ['a IS b', 'IS takes NULL, TRUE or FALSE (line 1, column 6)'],
    ['a IS NOT 1', 'IS takes NULL, TRUE or FALSE (line 1, column 10)'],
    ['a LIKE b', 'LIKE takes a text (line 1, column 8)'],
    ['a LIKE 5', 'LIKE takes a text (line 1, column 8)'],
    ['a BETWEEN 1', 'AND is expected, not the end of the query (line 1, column 12)'],
    ['a BETWEEN b = 1 AND 2', 'AND is expected, not "=" (line 1, column 13)'],
    ['a IS NULL = TRUE', 'Of two comparisons side by side, put one in parentheses (line 1, column 11)'],
    ['a = b IS NULL', 'Of two comparisons side by side, put one in parentheses (line 1, column 7)'],
    ["a LIKE 'x' IN (1)", 'Of two comparisons side by side, put one in parentheses (line 1, column 12)'],
    ['a IN (1) BETWEEN 1 AND 2', 'Of two comparisons side by side, put one in parentheses (line 1, column 10)'],
    ["a = b LIKE 'x'", 'Of two comparisons side by side, put one in parentheses (line 1, column 7)'],
    ['a.', 'A name is expected, not the end of the query (line 1, column 3)'],
    ['a..b', 'A name is expected, not "." (line 1, column 3)'],
    ['a.1', 'A name is expected, not "1" (line 1, column 3)'],
    ['a.*', 'A star stands alone or in COUNT(*) (line 1, column 3)'],
    ['a.`*`', 'A star stands alone or in COUNT(*) (line 1, column 1)'],
    ['a.`b.c`', '"b.c" cannot be part of a path (line 1, column 1)'],
    ['`$a`', '"$a" cannot be part of a path (line 1, column 1)'],
    ['a.""', '"" cannot be part of a path (line 1, column 1)'],
    ['a.__proto__', '"__proto__" cannot be part of a path (line 1, column 1)'],
    [
      'REVERSE(a)',
      'The function REVERSE is not supported; COUNT, SUM, AVG, MIN, MAX, CAST, COALESCE, DATE_TRUNC, LOWER, ROUND, UPPER are (line 1, column 1)',
    ],
    ['ROUND()', 'A value is expected, not ")" (line 1, column 7)'],
    ['ROUND(a, b)', 'The digits of ROUND are a whole number from -20 to 20 (line 1, column 10)'],
    ['ROUND(a, 0.5)', 'The digits of ROUND are a whole number'],
    ['ROUND(a, 21)', 'The digits of ROUND are a whole number'],
    ['ROUND(a, 1, 2)', 'ROUND takes fewer values (line 1, column 11)'],
    ['UPPER(a, b)', 'UPPER takes fewer values (line 1, column 8)'],
    ['COALESCE()', 'A value is expected, not ")" (line 1, column 10)'],
    ['COALESCE(a,)', 'A value is expected, not ")" (line 1, column 12)'],
    ["DATE_TRUNC('day', a)", 'DATE_TRUNC takes the time first: DATE_TRUNC(time_requested, DAY) (line 1, column 12)'],
    ['DATE_TRUNC(a)', '"," is expected, not ")" (line 1, column 13)'],
    [
      'DATE_TRUNC(a, DECADE)',
      'The part of a time is one of YEAR, QUARTER, MONTH, WEEK, ISOWEEK, DAY, HOUR, MINUTE, SECOND (line 1, column 15)',
    ],
    ['DATE_TRUNC(a, `day`)', 'The part of a time is one of YEAR'],
    ['DATE_TRUNC(a, constructor)', 'The part of a time is one of YEAR'],
    ['LOWER(a', '")" is expected, not the end of the query (line 1, column 8)'],
    ['left(a, 1)', 'The function LEFT is not supported'],
    ['a.b (1)', 'The function A.B is not supported'],
    ['1 + current_date', 'The function CURRENT_DATE is not supported; COUNT, SUM, AVG, MIN, MAX, CAST, COALESCE'],
    ['SUM(*)', 'SUM takes an expression, not a star (line 1, column 5)'],
    ['COUNT(DISTINCT *)', 'COUNT DISTINCT takes an expression, not a star (line 1, column 16)'],
    ['SUM(a > 1)', '")" is expected, not ">" (line 1, column 7)'],
    ['COUNT(a, b)', 'COUNT takes one expression (line 1, column 8)'],
    ['COUNT()', 'A value is expected, not ")" (line 1, column 7)'],
    ['SUM(a) OVER (b)', 'OVER is not supported (line 1, column 8)'],
    ['CAST(a)', 'AS is expected, not ")" (line 1, column 7)'],
    ['CAST(a AS 5)', 'A type is expected, not "5" (line 1, column 11)'],
    ['CAST(a AS TIME)', 'CAST to TIME is not supported; INT64, INTEGER, FLOAT64, DECIMAL, NUMERIC, STRING, BOOL'],
    ['CAST(a AS STRING(5))', 'CAST to STRING with a length is not supported; INT64'],
    ['CAST(a AS INT64', '")" is expected, not the end of the query (line 1, column 16)'],
    ['CASE END', 'A value is expected, not END'],
    ['CASE a END', 'WHEN is expected, not "END" (line 1, column 8)'],
    ['CASE WHEN a END', 'THEN is expected, not "END" (line 1, column 13)'],
    ['CASE WHEN a THEN 1', 'END is expected, not the end of the query (line 1, column 19)'],
    ['CASE WHEN a THEN 1 ELSE 2 WHEN b THEN 3 END', 'END is expected, not "WHEN" (line 1, column 27)'],
    ['[1, 2]', 'Brackets are not supported: a path is written with dots, a list in parentheses (line 1, column 1)'],
    ['@x', 'Parameters are not supported: write the value itself (line 1, column 1)'],
    [':x', 'Parameters are not supported: write the value itself (line 1, column 1)'],
    ['~a', 'The operator ~ is not supported (line 1, column 1)'],
    ["r'x'", 'Raw texts are not supported: leave out the r and double each backslash (line 1, column 1)'],
    ["TIME '10:00'", 'TIME is not supported; DATE, DATETIME and TIMESTAMP are (line 1, column 1)'],
    ['INTERVAL 1 DAY', 'INTERVAL is not supported (line 1, column 1)'],
    ["DATE '2026-02-29'", '"2026-02-29" is not a date or a time (line 1, column 1)'],
    [`1 + ${'x'.repeat(29)}é(`, 'The function'],
    [`(1 ${'y'.repeat(40)}`, `")" is expected, not "${'y'.repeat(30)}…" (line 1, column 4)`],
  ];
  it.each(cases)('%s', (sql, message) => {
    expect(() => parse(sql)).toThrow(message);
    expect(() => parse(sql)).toThrow(expect.objectContaining({ name: 'QueryError', code: 'invalid-query' }));
  });

  it.each(['(', 'NOT ', '- ', '!', 'COUNT(', 'CASE WHEN ', 'CAST(', 'a IN (', 'SUM(', 'COALESCE(1, '])(
    'nests 200 times %s, no more',
    (opening) => {
      const tooDeep = 'Expressions stand more than 200 deep inside one another; nest fewer';
      expect(() => parse(opening.repeat(150))).not.toThrow(tooDeep);
      expect(() => parse(opening.repeat(150))).toThrow('is expected');
      expect(() => parse(opening.repeat(201))).toThrow(tooDeep);
    },
  );
});
