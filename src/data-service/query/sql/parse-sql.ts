import { invalidQuery } from '../query-error.ts';
import { parseQuery } from './parse-query.ts';
import type { Select } from './parse-select.ts';
import { sqlTokens } from './sql-token.ts';
import { TokenReader } from './token-reader.ts';

/** Far beyond what is written by hand; a compiled query takes a hundred times the room of its text. */
const maxCharacters = 20_000;

/**
 * Parses one query of the SQL subset (docs/sql.md).
 * @param text the query
 * @returns its syntax tree
 * @throws QueryError invalid-query, with the position of the first thing beyond the subset
 * @example
 * parseSql('SELECT kg FROM readings').columns.length; // => 1
 * parseSql('DROP TABLE readings'); // throws: Error
 */
export function parseSql(text: string): Select {
  if (text.length > maxCharacters)
    throw invalidQuery(`The query has ${text.length} characters; at most ${maxCharacters} are read.`);
  return parseQuery(new TokenReader(sqlTokens(text)));
}
