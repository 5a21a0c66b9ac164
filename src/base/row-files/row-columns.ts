import { hasFields, kindOf, type Row, type ValueKind } from './row-values.ts';

/** A column of a file: a field that has no fields of its own. */
export interface RowColumn {
  /** the column's path: the names of its fields, joined by dots; a name that is empty, "{}", or has a dot or a backtick, is put in backticks */
  readonly name: string;
  /** the kinds of its values; empty: it has none but null */
  readonly kinds: ReadonlySet<ValueKind>;
  /** length of its longest text */
  readonly longestText: number;
  /** whether all its texts are known to be times */
  readonly hasInstants: boolean;
}

/** The rows have more columns than a file may have. */
class TooManyColumns extends Error {
  override readonly name = 'TooManyColumns';
}

/** No table with more columns is of use, and each row group of a Parquet file describes every column. */
export const mostColumns = 1000;

interface FoundColumn extends RowColumn {
  readonly kinds: Set<ValueKind>;
  longestText: number;
}

interface Field {
  readonly path: readonly string[];
  readonly fields: Map<string, Field>;
  /** index of its column; -1: no row has a value here */
  column: number;
}

/** RFC 3339 in UTC, to the microsecond at most. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/;

/**
 * The columns of rows. The fields of a document become columns of their own, as deep as it goes, in the order in which they are first
 * found; a row that has no such field has no value there. An empty document and a list are values themselves.
 */
export class RowColumns {
  readonly #found: FoundColumn[] = [];
  readonly #root: Field = { path: [], fields: new Map(), column: -1 };
  readonly #instants: ReadonlySet<string>;

  /** @param instants columns whose texts are times; they are there, and the first ones, even if no row has them */
  constructor(instants: readonly string[] = []) {
    this.#instants = new Set(instants);
    for (const name of instants) this.#columnOf(this.#child(this.#root, name));
  }

  get columns(): readonly RowColumn[] {
    return this.#found;
  }

  /** Takes note of a row's fields and of the kinds of its values. @throws TooManyColumns */
  add(row: Row): void {
    this.#walk(this.#root, row, (column, value) => this.#note(column, value));
  }

  /** The values of a row, one a column; undefined: it has none there. Only of rows that were added. */
  valuesOf(row: Row): readonly unknown[] {
    const values = new Array<unknown>(this.#found.length).fill(undefined);
    this.#walk(this.#root, row, (column, value) => (values[column] = value));
    return values;
  }

  #walk(field: Field, value: unknown, each: (column: number, value: unknown) => void): void {
    if (!hasFields(value)) return each(this.#columnOf(field), value);
    for (const key in value) this.#walk(this.#child(field, key), value[key], each);
  }

  #child(field: Field, key: string): Field {
    let child = field.fields.get(key);
    if (child === undefined)
      field.fields.set(key, (child = { path: [...field.path, key], fields: new Map(), column: -1 }));
    return child;
  }

  #columnOf(field: Field): number {
    if (field.column >= 0) return field.column;
    if (this.#found.length === mostColumns)
      throw new TooManyColumns(
        `The rows have more than ${mostColumns} different fields, too many for columns: choose fewer fields, or JSONL, which has no columns.`,
      );
    const name = columnName(field.path);
    const hasInstants = this.#instants.has(name);
    field.column = this.#found.push({ name, kinds: new Set(), longestText: 0, hasInstants }) - 1;
    return field.column;
  }

  #note(index: number, value: unknown): void {
    const column = this.#found[index]!;
    const kind = kindOf(value);
    if (kind === null) return;
    if (kind === 'text') column.longestText = Math.max(column.longestText, (value as string).length);
    column.kinds.add(kind === 'text' && column.hasInstants && instant.test(value as string) ? 'instant' : kind);
  }
}

/** The column of a document without fields: the whole row. */
const nameOfRow = '{}';

function columnName(path: readonly string[]): string {
  if (path.length === 0) return nameOfRow;
  const isPlain = (key: string): boolean => key !== '' && key !== nameOfRow && !/[.`]/.test(key);
  return path.map((key) => (isPlain(key) ? key : `\`${key.replaceAll('`', '``')}\``)).join('.');
}
