import { didYouMean } from '../../../../config/lint/did-you-mean.ts';
import { askedFields } from '../../../../data-service/query/sql/asked-fields.ts';
import { parseSql } from '../../../../data-service/query/sql/parse-sql.ts';
import type { DocumentColumn } from '../../shared/documents/document-columns.ts';
import type { ReadDocuments } from '../../shared/documents/read-documents.ts';
import type { KnownColumns } from './known-columns.svelte.ts';
import { sqlPath } from './query-suggestions.ts';

/** Of the readings that were looked at. */
type Known = Pick<KnownColumns, 'columns' | 'sampled' | 'isWhole'>;

/**
 * What to say beside an answer that may be empty for a field that is misspelt: the first field asked for that no reading
 * looked at has, and the one most like it. Null where the answer has values in every column of more than one row, or
 * every field is known.
 */
export function missingFieldNote(sql: string, { rows, columns }: ReadDocuments, known: Known): string | null {
  const isFilled = rows.length > 1 && columns.every(({ types }) => types.some((type) => type !== 'null'));
  if (isFilled || known.columns.length === 0) return null;
  const missing = askedFields(parseSql(sql)).find((field) => !known.columns.some((column) => covers(column, field)));
  if (missing === undefined) return null;
  const looked = known.isWhole ? `all ${known.sampled}` : `the newest and the first ${known.sampled}`;
  const near = nearestColumn(missing, known.columns);
  return `None of the readings looked at (${looked}) has ${missing}${near ? `; did you mean ${sqlPath(near)}?` : '.'}`;
}

/** Whether a field is a column, holds columns, or lies in a list, whose parts are no columns. */
function covers({ path, types }: DocumentColumn, field: string): boolean {
  return path === field || path.startsWith(`${field}.`) || (types.includes('list') && field.startsWith(`${path}.`));
}

/** By the last name of its path: most often it is the way there that was left out. */
function nearestColumn(field: string, columns: readonly DocumentColumn[]): DocumentColumn | undefined {
  const nameOf = ({ keys }: DocumentColumn): string => keys.at(-1)!;
  const name = didYouMean(field.split('.').at(-1)!, columns.map(nameOf));
  return columns.find((column) => nameOf(column) === name);
}
