import { exactTimeText } from '../../../kit/words/figures.ts';
import { EJSON } from 'bson';

/** A row of an answer: a document of BSON values, as bson's `deserialize` returns them. */
export type ResultRow = Readonly<Record<string, unknown>>;

export type ValueType = 'number' | 'text' | 'date' | 'yes/no' | 'list' | 'document' | 'bytes' | 'null' | 'other';

/** A field that has no fields of its own, by its dotted path. */
export interface DocumentColumn {
  readonly path: string;
  readonly keys: readonly string[];
  /** types of its values in the order they were found; null only if nothing else was found */
  readonly types: readonly ValueType[];
}

/** Collects the columns of rows, one row at a time. */
export class ColumnCollector {
  readonly #columns = new Map<string, { readonly keys: readonly string[]; readonly types: Set<ValueType> }>();

  add(row: ResultRow): void {
    this.#walk(row, '', []);
  }

  get columns(): readonly DocumentColumn[] {
    return Array.from(this.#columns, ([path, { keys, types }]) => {
      const told = [...types].filter((type) => type !== 'null');
      return { path, keys, types: told.length > 0 ? told : ['null'] };
    });
  }

  #walk(document: ResultRow, prefix: string, above: readonly string[]): void {
    for (const key in document) {
      const value = document[key];
      const path = prefix + key;
      const type = typeOfValue(value);
      if (type === 'document' && Object.keys(value as object).length > 0) {
        this.#walk(value as ResultRow, `${path}.`, [...above, key]);
        continue;
      }
      const known = this.#columns.get(path);
      if (known) known.types.add(type);
      else this.#columns.set(path, { keys: [...above, key], types: new Set([type]) });
    }
  }
}

/** The columns of some rows, in the order they are first found. */
export function columnsOf(rows: readonly ResultRow[]): readonly DocumentColumn[] {
  const collector = new ColumnCollector();
  for (const row of rows) collector.add(row);
  return collector.columns;
}

/** The value of a column; undefined if the row has none. */
export function valueAt(row: ResultRow, { keys }: Pick<DocumentColumn, 'keys'>): unknown {
  let value: unknown = row;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as ResultRow)[key];
  }
  // if other rows have fields below this one, their columns are shown instead
  return typeOfValue(value) === 'document' && Object.keys(value as object).length > 0 ? undefined : value;
}

export function typeOfValue(value: unknown): ValueType {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'yes/no';
  if (value instanceof Date) return 'date';
  if (Array.isArray(value)) return 'list';
  const kind = (value as { readonly _bsontype?: unknown })._bsontype;
  if (kind === 'Long' || kind === 'Decimal128' || kind === 'Double' || kind === 'Int32') return 'number';
  if (kind === 'Binary' || value instanceof Uint8Array) return 'bytes';
  return kind === undefined ? 'document' : 'other';
}

/**
 * A value as written to files: dates in UTC to the millisecond (ISO 8601), objects and lists as JSON; '' for a missing
 * one.
 */
export function valueText(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'no date' : value.toISOString();
  const kind = (value as { readonly _bsontype?: unknown } | null)?._bsontype;
  if (typeof value !== 'object' || value === null || kind === 'Long' || kind === 'Decimal128' || kind === 'ObjectId')
    return String(value);
  return EJSON.stringify(value, { relaxed: true });
}

/** A value as the page shows it: like `valueText`, but with dates in the page's format. */
export const shownText = (value: unknown): string =>
  value instanceof Date && !Number.isNaN(value.getTime()) ? exactTimeText(value.getTime()) : valueText(value);

/** A value as a number for a chart; dates in seconds since 1970; null for other types. */
export function valueNumber(value: unknown): number | null {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.getTime() / 1000;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeOfValue(value) !== 'number') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}
