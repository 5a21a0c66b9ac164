import type { Range, Table, Value, Where } from './tables.ts';

type Fields = Readonly<Record<string, Value>>;

/**
 * Whether an entry is in a range, for stores that have no index by which it is found.
 * @param range whose order and limit do not matter
 */
export function isInRange<Entry, Field extends string>(
  table: Table<Entry, Field>,
  { where, order = [], from, after, upTo, before }: Range<Field>,
  entry: Entry,
): boolean {
  const fields: Fields = table.fieldsOf(entry);
  const place = order.map((field) => fields[field]!);
  const to = (values: readonly Value[]): number => compare(place.slice(0, values.length), values);
  return (
    isWanted(fields, where) &&
    (from === undefined || to(from) >= 0) &&
    (after === undefined || to(after) > 0) &&
    (upTo === undefined || to(upTo) <= 0) &&
    (before === undefined || to(before) < 0)
  );
}

/** Compares entries by the order of a range, for sorting. */
export function byOrder<Entry, Field extends string>(
  table: Table<Entry, Field>,
  { order = [], descending = false }: Pick<Range<Field>, 'order' | 'descending'>,
): (a: Entry, b: Entry) => number {
  const placeOf = (entry: Entry): Value[] => order.map((field) => (table.fieldsOf(entry) as Fields)[field]!);
  return (a, b) => (descending ? -1 : 1) * compare(placeOf(a), placeOf(b));
}

const isWanted = (fields: Fields, where: Where<string>): boolean =>
  Object.entries(where).every(([name, wanted]) => {
    const value = fields[name]!;
    if (Array.isArray(value)) return value.includes(wanted);
    return Array.isArray(wanted) ? wanted.includes(value) : value === wanted;
  });

function compare(a: readonly Value[], b: readonly Value[]): number {
  const at = a.findIndex((value, n) => value !== b[n]);
  return at < 0 ? 0 : a[at]! < b[at]! ? -1 : 1;
}
