import type { QueryError } from '../../ports/query-runner.ts';
import { sqlError } from './sql-error.ts';
import type { SqlToken } from './sql-token.ts';

/**
 * How deep expressions may stand inside one another: far beyond what is written by hand, and far from where the call
 * stacks of reading, compiling and computing end.
 */
const maxNesting = 200;

/** Goes through the tokens of a query, and says what is wrong where one is not expected. */
export class TokenReader {
  readonly #tokens: readonly SqlToken[];
  #index = 0;
  #nesting = 0;

  /** The last token is the end. */
  constructor(tokens: readonly SqlToken[]) {
    this.#tokens = tokens;
  }

  /** The token that comes next, or the one so many behind it. */
  peek(ahead = 0): SqlToken {
    return this.#tokens[Math.min(this.#index + ahead, this.#tokens.length - 1)]!;
  }

  next(): SqlToken {
    const token = this.peek();
    this.#index++;
    return token;
  }

  /** Takes the next token if it is this word or symbol. */
  accept(key: string): boolean {
    if (this.peek().key !== key) return false;
    this.#index++;
    return true;
  }

  /** @throws QueryError `invalid-query` where the next token is another */
  expect(key: string): void {
    if (!this.accept(key)) throw this.unexpected(/\w/.test(key) ? key : `"${key}"`);
  }

  /** Reads what stands inside something else; how deep is bounded. */
  nested<Part>(read: () => Part): Part {
    if (++this.#nesting > maxNesting)
      throw sqlError(`Expressions stand more than ${maxNesting} deep inside one another; nest fewer`, this.peek().at);
    const part = read();
    this.#nesting--;
    return part;
  }

  /** The refusal of the next token, where something else should stand. */
  unexpected(expected: string): QueryError {
    const { key, at } = this.peek();
    const order = clauses.has(key) ? orderOfClauses : '';
    return sqlError(refusals.get(key) ?? `${expected} is expected, not ${this.#found()}${order}`, at);
  }

  #found(): string {
    const { kind, value } = this.peek();
    if (kind === 'end') return 'the end of the query';
    return JSON.stringify(value.length > 30 ? `${value.slice(0, 30)}…` : value);
  }
}

const clauses: ReadonlySet<string> = new Set('SELECT FROM WHERE GROUP HAVING ORDER LIMIT OFFSET'.split(' '));
const orderOfClauses = '; the order is SELECT, FROM, WHERE, GROUP BY, HAVING, ORDER BY, LIMIT, OFFSET';

/** What other databases know, at places where this service does not. */
const unsupported = 'COLLATE ESCAPE FETCH FOR NULLS OVER PIVOT QUALIFY REPLACE TABLESAMPLE WINDOW'.split(' ');
const operators = ['||', '&&', '|', '&', '^', '~', '<<', '>>', '::'];

const refusals: ReadonlyMap<string, string> = new Map([
  ...unsupported.map((key) => [key, `${key} is not supported`] as const),
  ...operators.map((key) => [key, `The operator ${key} is not supported`] as const),
  ...['UNION', 'INTERSECT', 'EXCEPT'].map((key) => [key, `${key} is not supported: a query is one SELECT`] as const),
  ...['@', ':', '?'].map((key) => [key, 'Parameters are not supported: write the value itself'] as const),
  ['==', 'The operator == is not supported; write ='],
  ['[', 'Brackets are not supported: a path is written with dots, a list in parentheses'],
]);
