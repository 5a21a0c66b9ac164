import { serialize } from 'bson';
import { compileSelect } from './compile-select.ts';
import { parseSql } from './parse-sql.ts';

/**
 * The stages that a SELECT means, each a BSON document. Only where it can be ended: on a hundred nested brackets that
 * do not close, the parser takes forever.
 * Throws QueryError `invalid-query` with the position of what is beyond the subset.
 */
export function compileSql(text: string): Uint8Array[] {
  return compileSelect(parseSql(text)).map((stage) => serialize(stage));
}
