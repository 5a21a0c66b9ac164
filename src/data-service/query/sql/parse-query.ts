import { parseFrom, type NamedQueries } from './parse-from.ts';
import { takeName } from './parse-name.ts';
import { parseSelect, type Select } from './parse-select.ts';
import { sqlError } from './sql-error.ts';
import type { TokenReader } from './token-reader.ts';

/**
 * Reads the one query of a text: a SELECT, and the queries that WITH names before it, each of which may read those before
 * it. Throws QueryError `invalid-query` with the position of anything else.
 */
export function parseQuery(tokens: TokenReader): Select {
  const select = parseInner(tokens, new Map());
  expectEnd(tokens);
  return select;
}

function parseInner(tokens: TokenReader, outer: NamedQueries): Select {
  const named = tokens.accept('WITH') ? parseNamedQueries(tokens, outer) : outer;
  return parseSelect(tokens, () => parseFrom(tokens, named, () => tokens.nested(() => parseInner(tokens, named))));
}

function parseNamedQueries(tokens: TokenReader, outer: NamedQueries): NamedQueries {
  const named = new Map(outer);
  const own = new Set<string>();
  do {
    const word = tokens.peek();
    if (word.key === 'RECURSIVE' && tokens.peek(1).key !== 'AS')
      throw sqlError('WITH RECURSIVE is not supported', word.at);
    const name = takeName(tokens);
    if (own.has(name)) throw sqlError(`Two queries are named ${name}`, word.at);
    own.add(name);
    if (tokens.peek().key === '(')
      throw sqlError('Columns are named in the SELECT, with AS: not behind the name of a query', tokens.peek().at);
    tokens.expect('AS');
    tokens.expect('(');
    named.set(
      name,
      tokens.nested(() => parseInner(tokens, named)),
    );
    tokens.expect(')');
  } while (tokens.accept(','));
  return named;
}

function expectEnd(tokens: TokenReader): void {
  const ended = tokens.accept(';');
  while (tokens.accept(';'));
  const { kind, key, at } = tokens.peek();
  if (kind === 'end') return;
  if (ended || key === 'SELECT') throw sqlError('A query is one SELECT', at);
  throw tokens.unexpected('An operator, a clause or the end');
}
