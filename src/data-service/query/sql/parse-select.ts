import { parseExpression } from './parse-expression.ts';
import { acceptAlias } from './parse-name.ts';
import { refuseLarge } from './refuse-large.ts';
import { sqlError } from './sql-error.ts';
import { findAggregate, mapParts, type SqlExpression } from './sql-expression.ts';
import type { TokenReader } from './token-reader.ts';

/** A column of the answer; `name` is null for an expression that neither has an alias nor is a path. */
export interface SelectColumn {
  readonly expression: SqlExpression;
  readonly name: string | null;
}

export interface OrderKey {
  readonly expression: SqlExpression;
  readonly direction: 1 | -1;
}

/** What a SELECT reads: the readings, or the answer of another. */
export type SelectSource = { readonly kind: 'readings' } | { readonly kind: 'select'; readonly select: Select };

export interface Select {
  readonly source: SelectSource;
  /** itself, and those that it reads from */
  readonly queries: number;
  readonly distinct: boolean;
  /** all fields of the document, before the columns */
  readonly star: boolean;
  readonly columns: readonly SelectColumn[];
  readonly where: SqlExpression | null;
  readonly groupBy: readonly SqlExpression[];
  readonly having: SqlExpression | null;
  readonly orderBy: readonly OrderKey[];
  readonly limit: number | null;
  readonly offset: number;
}

/** A source, and its name in the query, which may lead a path. */
export interface From {
  readonly source: SelectSource;
  readonly alias: string | null;
}

/**
 * Reads a SELECT up to what does not belong to it; `parseFrom` reads its FROM. Throws QueryError `invalid-query` with the
 * position of anything else.
 */
export function parseSelect(tokens: TokenReader, parseFrom: () => From): Select {
  expectSelect(tokens);
  const distinct = tokens.accept('DISTINCT');
  if (!distinct) tokens.accept('ALL');
  const { star, columns } = parseColumns(tokens);
  const { source, alias } = parseFrom();
  function ofTable(expression: SqlExpression): SqlExpression {
    refuseLarge(expression);
    return withoutAlias(expression, alias);
  }

  const where = tokens.accept('WHERE') ? ofTable(parseExpression(tokens)) : null;
  const aggregate = where && findAggregate(where);
  if (aggregate) throw sqlError('An aggregate belongs into HAVING, not into WHERE', aggregate.at);
  const groupBy = acceptBy('GROUP', tokens) ? parseMany(tokens, parseExpression).map(ofTable) : [];
  const having = tokens.accept('HAVING') ? ofTable(parseExpression(tokens)) : null;
  const orderBy = acceptBy('ORDER', tokens) ? parseMany(tokens, parseOrderKey) : [];
  const limit = tokens.accept('LIMIT') ? parseCount(tokens) : null;
  if (limit !== null && tokens.peek().key === ',') throw sqlError('Write LIMIT n OFFSET m', tokens.peek().at);
  const offset = limit !== null && tokens.accept('OFFSET') ? parseCount(tokens) : 0;
  return {
    source,
    queries: source.kind === 'select' ? source.select.queries + 1 : 1,
    distinct,
    star,
    columns: columns.map(({ expression, name }) => ({ expression: ofTable(expression), name })),
    where,
    groupBy,
    having,
    orderBy: orderBy.map(({ expression, direction }) => ({ expression: ofTable(expression), direction })),
    limit,
    offset,
  };
}

function expectSelect(tokens: TokenReader): void {
  const { kind, key, value, at } = tokens.peek();
  if (tokens.accept('SELECT')) return;
  if (kind === 'end' || key === ';') throw sqlError('A query is one SELECT', at);
  if (key === '(') throw sqlError('A query is a SELECT, without parentheses around it', at);
  throw sqlError(`A query is a SELECT, not ${key || JSON.stringify(value)}`, at);
}

function acceptBy(key: 'GROUP' | 'ORDER', tokens: TokenReader): boolean {
  if (!tokens.accept(key)) return false;
  tokens.expect('BY');
  return true;
}

function parseMany<Part>(tokens: TokenReader, parse: (tokens: TokenReader) => Part): Part[] {
  const parts: Part[] = [];
  do parts.push(parse(tokens));
  while (tokens.accept(','));
  return parts;
}

function parseColumns(tokens: TokenReader): Pick<Select, 'star' | 'columns'> {
  let star = false;
  const columns: SelectColumn[] = [];
  do {
    // a comma may follow the last column, as in BigQuery
    if (tokens.peek().key === 'FROM' && (star || columns.length > 0)) break;
    if (tokens.accept('*')) {
      star = true;
      const { key, at } = tokens.peek();
      if (key === 'EXCEPT' || key === 'REPLACE') throw sqlError('EXCEPT or REPLACE is not supported', at);
    } else columns.push(parseColumn(tokens));
  } while (tokens.accept(','));
  return { star, columns };
}

function parseColumn(tokens: TokenReader): SelectColumn {
  const expression = parseExpression(tokens);
  const alias = acceptAlias(tokens);
  const name = alias?.value ?? (expression.kind === 'path' ? expression.path.split('.').at(-1)! : null);
  if (name !== null && (name === '' || name === '__proto__' || /^\$|[.\0]/.test(name)))
    throw sqlError(`${JSON.stringify(name)} cannot be the name of a column`, (alias ?? expression).at);
  return { expression, name };
}

function parseOrderKey(tokens: TokenReader): OrderKey {
  const expression = parseExpression(tokens);
  const direction = tokens.accept('DESC') ? -1 : 1;
  if (direction === 1) tokens.accept('ASC');
  return { expression, direction };
}

/** What LIMIT and OFFSET take. */
function parseCount(tokens: TokenReader): number {
  const { at } = tokens.peek();
  const count = parseExpression(tokens);
  if (count.kind !== 'literal' || !Number.isSafeInteger(count.value) || (count.value as number) < 0)
    throw sqlError('LIMIT and OFFSET take whole numbers', at);
  return count.value as number;
}

/** Paths without the name of the table in front of them; a path that is no more than that is a field of the same name. */
function withoutAlias(expression: SqlExpression, alias: string | null): SqlExpression {
  if (expression.kind !== 'path') return mapParts(expression, (part) => withoutAlias(part, alias));
  const [first, ...others] = expression.path.split('.');
  return first === alias && others.length > 0 ? { ...expression, path: others.join('.') } : expression;
}
