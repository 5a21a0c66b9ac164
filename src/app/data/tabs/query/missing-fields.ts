import { didYouMean } from '../../../../machine/config/face/lint.ts';
import { askedFields } from '../../../../data-service/face/queries.ts';
import { parseSql } from '../../../../data-service/face/query-engine.ts';
import type { DocumentColumn } from '../../shared/documents/document-columns.ts';
import type { ReadDocuments } from '../../shared/documents/read-documents.ts';
import type { KnownColumns } from './known-columns.svelte.ts';
import { sqlPath } from './query-suggestions.ts';

type Known = Pick<KnownColumns, 'columns' | 'sampled' | 'isWhole'>;

/**
 * A note beside a result that may be empty because a field is misspelt. It names the first queried field that no sampled
 * reading has, and the most similar known field. Null if the result has several rows and a value in every column, or if
 * all queried fields are known.
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

/** Whether a column is the field, lies inside it, or is a list that the field lies in: items of lists are not columns. */
function covers({ path, types }: DocumentColumn, field: string): boolean {
  return path === field || path.startsWith(`${field}.`) || (types.includes('list') && field.startsWith(`${path}.`));
}

/** The column whose last name is most similar to the field's: people most often omit the beginning of a path. */
function nearestColumn(field: string, columns: readonly DocumentColumn[]): DocumentColumn | undefined {
  const nameOf = ({ keys }: DocumentColumn): string => keys.at(-1)!;
  const name = didYouMean(field.split('.').at(-1)!, columns.map(nameOf));
  return columns.find((column) => nameOf(column) === name);
}
