import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QueryError } from '../../ports/query-runner.ts';
import { compileSql } from './compile-sql.ts';
import { parseQuery } from './parse-query.ts';
import { parseSql } from './parse-sql.ts';
import type { Arithmetic, Comparison, SqlExpression } from './sql-expression.ts';
import { sqlTokens } from './sql-token.ts';
import { TokenReader } from './token-reader.ts';

/** A tree and a text that means it; `level` is how tightly the text binds, from OR (1) to what stands for itself (8). */
interface Written {
  readonly tree: SqlExpression;
  readonly sql: string;
  readonly level: number;
}

/** Stand in a text for what separates two tokens, and around a word of SQL; they are filled in at the end. */
const [gap, wordStart, wordEnd] = ['\uE000', '\uE001', '\uE002'];
const word = (text: string): string => `${wordStart}${text}${wordEnd}`;
const at = { line: 1, column: 1 };
const inside = ({ sql, level }: Written, least: number): string => (level >= least ? sql : `(${gap}${sql}${gap})`);
const joined = (...parts: readonly string[]): string => parts.join(gap);

const literal = (value: string | number | boolean | null | Date, sql: string): Written => ({
  tree: { kind: 'literal', value, at },
  sql,
  level: 8,
});
const textSql = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll('\n', '\\n')}'`;

const texts = fc.string({ unit: fc.constantFrom(...`ab %_'"\`\\\n.$éx-/*#;(`), maxLength: 8 });
const literals = fc.oneof(
  fc.nat(1e6).map((number) => literal(number, String(number))),
  fc.nat(1e4).map((number) => literal(-number / 8 || 0, number === 0 ? '0' : `-${number / 8}`)),
  texts.map((text) => literal(text, textSql(text))),
  fc.constantFrom(true, false, null).map((value) => literal(value, word(String(value).toUpperCase()))),
  fc
    .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => literal(date, `${word('TIMESTAMP')}${gap}'${date.toISOString()}'`)),
);
const names = fc.oneof(
  fc.constantFrom('a', 'temp', 'data', 'order', 'End', 'x1', '_y').map((name) => ({ name, sql: name })),
  fc.constantFrom('net weight', 'é', "it's", '%', '1st').map((name) => ({ name, sql: `\`${name}\`` })),
);
const paths = fc
  .array(names, { minLength: 2, maxLength: 4 })
  .map((parts): Written => ({
    tree: { kind: 'path', path: parts.map(({ name }) => name).join('.'), at },
    sql: parts.map(({ sql }) => sql).join(`${gap}.${gap}`),
    level: 8,
  }));

const { expressions } = fc.letrec<{ expressions: Written; some: Written }>((tie) => {
  const part = tie('expressions');
  const parts = fc.array(part, { minLength: 2, maxLength: 3 });
  const negated = (written: Written, not: boolean, sql: string): Written =>
    not ? { tree: { kind: 'not', operand: written.tree, at }, sql, level: 4 } : written;
  const some = fc.oneof(
    fc.tuple(fc.constantFrom('and', 'or'), parts).map(([kind, operands]): Written => {
      const level = kind === 'or' ? 1 : 2;
      const sql = operands.map((operand) => inside(operand, level + 1)).join(`${gap}${word(kind.toUpperCase())}${gap}`);
      return { tree: { kind, operands: operands.map(({ tree }) => tree), at }, sql, level };
    }),
    part.map((operand): Written => {
      const sql = joined(word('NOT'), inside(operand, 3));
      return { tree: { kind: 'not', operand: operand.tree, at }, sql, level: 3 };
    }),
    part.map((operand): Written => {
      const sql = joined('!', inside(operand, 7));
      return { tree: { kind: 'not', operand: operand.tree, at }, sql, level: 7 };
    }),
    part.map((operand): Written => {
      const sql = joined('-', inside(operand, 7));
      return { tree: { kind: 'negate', operand: operand.tree, at }, sql, level: 7 };
    }),
    fc
      .tuple(part, fc.constantFrom<Comparison>('=', '!=', '<', '<=', '>', '>='), part, fc.boolean())
      .map(([left, operator, right, other]): Written => {
        const symbol = operator === '!=' && other ? '<>' : operator;
        const sql = joined(inside(left, left.tree.kind === 'compare' ? 4 : 5), symbol, inside(right, 5));
        return { tree: { kind: 'compare', operator, left: left.tree, right: right.tree, at }, sql, level: 4 };
      }),
    fc
      .tuple(part, fc.constantFrom<Arithmetic>('+', '-', '*', '/', '%'), part)
      .map(([left, operator, right]): Written => {
        const level = operator === '+' || operator === '-' ? 5 : 6;
        const sql = joined(inside(left, level), operator, inside(right, level + 1));
        return { tree: { kind: 'arithmetic', operator, left: left.tree, right: right.tree, at }, sql, level };
      }),
    fc
      .tuple(part, fc.constantFrom(true, false, null), fc.boolean())
      .map(([{ tree: operand, ...written }, value, not]): Written => {
        const is = joined(inside({ tree: operand, ...written }, 5), word('IS'));
        const named = word(String(value).toUpperCase());
        const positive: Written = { tree: { kind: 'is', operand, value, at }, sql: joined(is, named), level: 4 };
        return negated(positive, not, joined(is, word('NOT'), named));
      }),
    fc
      .tuple(part, fc.array(part, { minLength: 1, maxLength: 3 }), fc.boolean())
      .map(([operand, list, not]): Written => {
        const written = (...operator: string[]): string =>
          joined(inside(operand, 5), ...operator, `(${list.map((item) => inside(item, 1)).join(`${gap},${gap}`)})`);
        const tree: SqlExpression = { kind: 'in', operand: operand.tree, list: list.map((item) => item.tree), at };
        return negated({ tree, sql: written(word('IN')), level: 4 }, not, written(word('NOT'), word('IN')));
      }),
    fc.tuple(part, texts, fc.boolean()).map(([operand, pattern, not]): Written => {
      const written = (...operator: string[]): string => joined(inside(operand, 5), ...operator, textSql(pattern));
      const tree: SqlExpression = { kind: 'like', operand: operand.tree, pattern, at };
      return negated({ tree, sql: written(word('LIKE')), level: 4 }, not, written(word('NOT'), word('LIKE')));
    }),
    fc.tuple(part, part, part, fc.boolean()).map(([operand, low, high, not]): Written => {
      const written = (...operator: string[]): string =>
        joined(inside(operand, 5), ...operator, inside(low, 5), word('AND'), inside(high, 5));
      const compare = (operator: Comparison, right: Written): SqlExpression => ({
        kind: 'compare',
        operator,
        left: operand.tree,
        right: right.tree,
        at,
      });
      const tree: SqlExpression = { kind: 'and', operands: [compare('>=', low), compare('<=', high)], at };
      return negated({ tree, sql: written(word('BETWEEN')), level: 4 }, not, written(word('NOT'), word('BETWEEN')));
    }),
    fc
      .tuple(fc.option(part), fc.array(fc.tuple(part, part), { minLength: 1, maxLength: 2 }), fc.option(part))
      .map(([subject, branches, otherwise]): Written => {
        const whens = branches.map(([when, then]) =>
          joined(word('WHEN'), inside(when, 1), word('THEN'), inside(then, 1)),
        );
        const sql = joined(
          word('CASE'),
          ...(subject ? [inside(subject, 1)] : []),
          ...whens,
          ...(otherwise ? [word('ELSE'), inside(otherwise, 1)] : []),
          word('END'),
        );
        const trees = branches.map(([{ tree: right }, { tree: then }]) => ({
          when: subject ? ({ kind: 'compare', operator: '=', left: subject.tree, right, at } as const) : right,
          then,
        }));
        return { tree: { kind: 'case', branches: trees, otherwise: otherwise && otherwise.tree, at }, sql, level: 8 };
      }),
    fc
      .tuple(part, fc.constantFrom(['INT64', 'int'], ['STRING', 'string'], ['DATE', 'date'] as const), fc.boolean())
      .map(([operand, [name, type], safe]): Written => {
        const keyword = word(safe ? 'SAFE_CAST' : 'CAST');
        const sql = `${keyword}${gap}(${joined(inside(operand, 1), word('AS'), word(name!))})`;
        return { tree: { kind: 'cast', operand: operand.tree, type: type as 'int', safe, at }, sql, level: 8 };
      }),
  );
  return { some, expressions: fc.oneof({ maxDepth: 4, depthSize: 'small' }, literals, paths, tie('some')) };
});

/** Everything but where it stands. */
const withoutPlaces = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, part: unknown) => (key === 'at' ? undefined : part)));

const gaps = fc.array(fc.constantFrom(' ', '\n', '\t ', ' /* ( " */ ', '/**/ ', " -- it's\n", ' # `\r\n'), {
  minLength: 1,
  maxLength: 5,
});
const changeCase = [
  (text: string) => text,
  (text: string) => text.toLowerCase(),
  (text: string) => text[0]! + text.slice(1).toLowerCase(),
];

describe('a query', () => {
  it('means the tree that it was written from', () => {
    fc.assert(
      fc.property(expressions, gaps, fc.constantFrom(...changeCase), ({ tree, sql }, spaces, change) => {
        let index = 0;
        const text = `SELECT 1 FROM readings WHERE ${sql}`
          .replaceAll(/\uE001([^\uE002]*)\uE002/g, (_, keyword: string) => change(keyword))
          .replaceAll(gap, () => spaces[index++ % spaces.length]!);
        expect(withoutPlaces(parseSql(text).where), text).toEqual(withoutPlaces(tree));
      }),
      { seed: 20261130, numRuns: 3000 },
    );
  });

  const fragments = fc.oneof(
    fc.constantFrom(
      ...'SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT OFFSET DISTINCT ALL AS AND OR NOT IN IS LIKE BETWEEN'.split(
        ' ',
      ),
      ...'CASE WHEN THEN ELSE END CAST SAFE_CAST COUNT SUM NULL TRUE DATE TIMESTAMP INT64 DESC readings a b.c'.split(
        ' ',
      ),
      ..."( ) ( ) [ ] , , . * + - / % = != < > ! ; || ' \" ` \\ -- # /* */ 'x' 1 1.5 é 😀 @ : $ \0".split(' '),
    ),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  it('of anything at all is compiled or refused', () => {
    fc.assert(
      fc.property(fc.array(fragments, { maxLength: 40 }), fc.boolean(), (parts, whole) => {
        const text = whole ? `SELECT a FROM readings WHERE ${parts.join(' ')}` : parts.join(' ');
        try {
          compileSql(text);
        } catch (error) {
          expect(error, text).toBeInstanceOf(QueryError);
          expect((error as QueryError).code).toBe('invalid-query');
        }
      }),
      { seed: 20261130, numRuns: 3000 },
    );
  });

  const openings = [
    '(',
    '[',
    '((',
    'CASE WHEN NOT (1 + (f(',
    'NOT (',
    '- ',
    'CASE ',
    'COUNT(',
    'a IN (',
    '{',
    '"(',
    '/*',
  ];
  it.each(
    openings.flatMap((opening) => [100, 3000, 100_000 / opening.length].map((count) => [opening, count] as const)),
  )('that opens %s %i times and closes nothing is refused at once', (opening, count) => {
    const start = performance.now();
    for (const lead of ['', 'SELECT ', 'SELECT a FROM readings WHERE '])
      expect(() => parseQuery(new TokenReader(sqlTokens(lead + opening.repeat(count))))).toThrow(QueryError);
    expect(performance.now() - start).toBeLessThan(5000);
  });
});
