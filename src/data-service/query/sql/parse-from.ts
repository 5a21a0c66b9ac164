import { acceptAlias, takeNames } from './parse-name.ts';
import type { From, Select, SelectSource } from './parse-select.ts';
import { sqlError } from './sql-error.ts';
import type { SqlToken } from './sql-token.ts';
import type { TokenReader } from './token-reader.ts';

/** The queries that WITH has named so far. */
export type NamedQueries = ReadonlyMap<string, Select>;

/** Each of them adds some stages to the pipeline. */
const maxQueries = 20;

/** Reads the one source of a SELECT: the readings, a query that WITH named, or one in parentheses. */
export function parseFrom(tokens: TokenReader, named: NamedQueries, parseQuery: () => Select): From {
  const { kind, at: end } = tokens.peek();
  if (kind === 'end') throw sqlError('FROM readings is missing', end);
  if (!tokens.accept('FROM')) throw tokens.unexpected('An operator, a comma or FROM readings');
  const { key, at } = tokens.peek();
  if (key === 'UNNEST' && tokens.peek(1).key === '(')
    throw sqlError('UNNEST is not supported: FROM takes readings, or a query in parentheses', at);
  const { source, name } = key === '(' ? parseInner(tokens, parseQuery) : parseTable(tokens, named);
  if (source.kind === 'select' && source.select.queries >= maxQueries)
    throw sqlError(`More than ${maxQueries} queries read from one another; nest fewer`, at);
  const alias = acceptAlias(tokens)?.value ?? name;
  refuseSecondTable(tokens.peek());
  return { source, alias };
}

interface NamedSource {
  readonly source: SelectSource;
  readonly name: string | null;
}

function parseInner(tokens: TokenReader, parseQuery: () => Select): NamedSource {
  tokens.expect('(');
  const select = parseQuery();
  tokens.expect(')');
  return { source: { kind: 'select', select }, name: null };
}

function parseTable(tokens: TokenReader, named: NamedQueries): NamedSource {
  const { at } = tokens.peek();
  const name = takeNames(tokens).join('.');
  const select = named.get(name);
  if (select) return { source: { kind: 'select', select }, name };
  if (name === 'readings' || name === 'sensorData.readings') return { source: { kind: 'readings' }, name: 'readings' };
  const tables = [...named.keys(), 'readings, or sensorData.readings'];
  throw sqlError(`There is no table ${name}; there is ${tables.join(', ')}`, at);
}

const joins: ReadonlySet<string> = new Set([',', 'JOIN', 'INNER', 'LEFT', 'FULL', 'CROSS', 'OUTER']);

function refuseSecondTable({ key, at }: SqlToken): void {
  if (joins.has(key)) throw sqlError('A query reads one table: no JOIN, no second table', at);
}
