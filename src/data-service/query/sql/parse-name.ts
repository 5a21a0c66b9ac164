import { sqlError } from './sql-error.ts';
import type { SqlToken } from './sql-token.ts';
import type { TokenReader } from './token-reader.ts';

/** Words of SQL where a bare name could stand. After a dot each of them is a name like any other. */
const reserved: ReadonlySet<string> = new Set(
  [
    'ALL AND AS ASC BETWEEN BY CASE CROSS CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP DESC DISTINCT ELSE END EXCEPT',
    'EXISTS FALSE FOR FROM FULL GROUP HAVING IN INNER INTERSECT IS JOIN LEFT LIKE LIMIT NOT NULL ON OR ORDER OUTER',
    'PIVOT SELECT SESSION_USER THEN TRUE UNION UNNEST USING WHEN WHERE WINDOW WITH',
  ].flatMap((line) => line.split(' ')),
);

export const isReserved = ({ key }: SqlToken): boolean => reserved.has(key);

const isName = ({ kind }: SqlToken): boolean => kind === 'word' || kind === 'name' || kind === 'text';

/** The names that come next, with dots between them. */
export function takeNames(tokens: TokenReader): string[] {
  const names: string[] = [];
  do {
    if (tokens.peek().key === '*') throw sqlError('A star stands alone or in COUNT(*)', tokens.peek().at);
    if (!isName(tokens.peek())) throw tokens.unexpected('A name');
    names.push(tokens.next().value);
  } while (tokens.accept('.'));
  return names;
}

/** The one name that comes next. */
export function takeName(tokens: TokenReader): string {
  const token = tokens.peek();
  if (!isName(token)) throw tokens.unexpected('A name');
  if (isReserved(token))
    throw sqlError(`${token.value} is a word of SQL; a name like it is written in backticks`, token.at);
  return tokens.next().value;
}

/** The alias that comes next, with AS or without; undefined where there is none. */
export function acceptAlias(tokens: TokenReader): SqlToken | undefined {
  const explicit = tokens.accept('AS');
  const token = tokens.peek();
  if (!explicit && (!isName(token) || isReserved(token))) return undefined;
  takeName(tokens);
  return token;
}
