import type { Range, Where } from './tables.ts';

/** The SQL that differs between databases. */
export interface Dialect {
  column(field: string): string;
  /** Keeps a value for the statement; returns what stands for it there. */
  given(value: string | number | readonly string[]): string;
  /** The condition that a column is any of the texts that `given` stands for. */
  isAnyOf(column: string, given: string): string;
  /** The condition that a field which is a list has a text; null: the field is none. */
  has(field: string, text: string): string | null;
}

/** Conditions for fields in SQL, to follow WHERE. */
export function whereSql<Field extends string>(where: Where<Field>, dialect: Dialect): string {
  return all(conditionsOf(where, dialect));
}

/** The conditions of a range in SQL, to follow WHERE. */
function boundsSql<Field extends string>(range: Range<Field>, dialect: Dialect): string {
  const columns = (range.order ?? []).map((field) => dialect.column(field));
  const conditions = conditionsOf(range.where, dialect);
  const within = (operator: string, values: readonly (string | number)[] | undefined): void => {
    if (values === undefined) return;
    const given = values.map((value) => dialect.given(value));
    conditions.push(`${tuple(columns.slice(0, values.length))} ${operator} ${tuple(given)}`);
  };
  within('>=', range.from);
  within('>', range.after);
  within('<=', range.upTo);
  within('<', range.before);
  return all(conditions);
}

/** All of a range in SQL, to follow WHERE: conditions, order and limit. */
export function rangeSql<Field extends string>(range: Range<Field>, dialect: Dialect): string {
  const { order = [], descending = false, limit } = range;
  const columns = order.map((field) => dialect.column(field) + (descending ? ' DESC' : ''));
  return [
    boundsSql(range, dialect),
    ...(columns.length === 0 ? [] : [`ORDER BY ${columns.join(', ')}`]),
    ...(limit === undefined ? [] : [limit === 1 ? 'LIMIT 1' : `LIMIT ${dialect.given(limit)}`]),
  ].join(' ');
}

/** Which rows of a table are to be deleted in SQL, to follow WHERE: `key` are the columns that with those of `where` are unique. */
export function deletedSql<Field extends string>(
  name: string,
  key: readonly string[],
  range: Range<Field>,
  dialect: Dialect,
): string {
  if (range.limit === undefined) return boundsSql(range, dialect);
  const found = `SELECT ${key.join(', ')} FROM ${name} WHERE ${rangeSql(range, dialect)}`;
  return `${whereSql(range.where, dialect)} AND ${tuple(key)} IN (${found})`;
}

/**
 * The last entry of each value of a column in SQL: `own` has the conditions for the others, and `order` is how they follow each other.
 * Found from each value to the next in the index, whatever number of entries they have.
 */
export const lastOfEachSql = (
  {
    name,
    column,
    own,
    order,
  }: { readonly [Part in 'name' | 'column' | 'own']: string } & { readonly order: readonly string[] },
  limit: string,
): string => `WITH RECURSIVE found (value) AS (
    SELECT min(${column}) FROM ${name} WHERE ${own}
    UNION ALL
    SELECT (SELECT min(${column}) FROM ${name} WHERE ${own} AND ${column} > found.value) FROM found WHERE found.value IS NOT NULL
  )
  SELECT (
    SELECT entry FROM ${name} WHERE ${own} AND ${column} = found.value ORDER BY ${order.map((one) => `${one} DESC`).join(', ')} LIMIT 1
  ) AS entry
  FROM found WHERE found.value IS NOT NULL LIMIT ${limit}`;

const snakeCased = new Map<string, string>();

/** `organizationId` as `organization_id`. */
export function snakeCase(name: string): string {
  const known = snakeCased.get(name) ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  snakeCased.set(name, known); // asked for with each statement, of a few fields
  return known;
}

/** `organization_id` as `organizationId`. */
export const camelCase = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

function conditionsOf<Field extends string>(where: Where<Field>, dialect: Dialect): string[] {
  return Object.entries<string | number | readonly string[] | undefined>(where).map(([field, value]) => {
    if (typeof value === 'object') return dialect.isAnyOf(dialect.column(field), dialect.given(value));
    const has = typeof value === 'string' ? dialect.has(field, value) : null;
    return has ?? `${dialect.column(field)} = ${dialect.given(value!)}`;
  });
}

const all = (conditions: readonly string[]): string => (conditions.length === 0 ? 'true' : conditions.join(' AND '));

const tuple = (parts: readonly string[]): string => (parts.length === 1 ? parts[0]! : `(${parts.join(', ')})`);
