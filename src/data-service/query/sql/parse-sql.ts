import bigquery from 'node-sql-parser/build/bigquery.js';
import { invalidQuery } from '../query-error.ts';
import { readSelect, type Select } from './read-select.ts';
import { sqlError, type SqlPosition } from './sql-node.ts';

/** Texts longer than this are refused before the parser sees them: it backtracks. */
const maxCharacters = 20_000;

/** Reads one SELECT of the subset. Throws QueryError `invalid-query` with the position of the first thing beyond it. */
export function parseSql(text: string): Select {
  if (text.length > maxCharacters)
    throw invalidQuery(`The query has ${text.length} characters; at most ${maxCharacters} are read.`);
  return readSelect(parse(text));
}

function parse(text: string): unknown {
  try {
    return new bigquery.Parser().parse(text, { database: 'BigQuery', parseOptions: { includeLocations: true } }).ast;
  } catch (error) {
    const at = (error as { location?: { start: SqlPosition } }).location?.start;
    if (!at) throw invalidQuery(`The query cannot be read: ${(error as Error).message}`, error);
    const found = /but (.+) found\.$/s.exec((error as Error).message)?.[1] ?? 'this';
    throw sqlError(`The query cannot be read: ${found} is not expected`, at);
  }
}
