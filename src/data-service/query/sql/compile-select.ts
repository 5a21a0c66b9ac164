import type { QueryDocument, QueryValue, QueryStage } from '../query-document.ts';
import { checkColumns } from './check-columns.ts';
import { collectAggregates } from './compile-aggregate.ts';
import { compileWhere } from './compile-where.ts';
import { ExpressionCompiler, type Substitute } from './compile-expression.ts';
import { outputColumns, type NamedColumn } from './output-columns.ts';
import type { OrderKey, Select } from './parse-select.ts';
import { expressionKey, findAggregate, mapParts, type SqlExpression } from './sql-expression.ts';
import { sqlError } from './sql-error.ts';
import { timeColumns, type TimeColumns } from './time-columns.ts';

/** The stages of a SELECT: those of the one that it reads from, match, group, sort, cut, and last the columns of the answer. */
export function compileSelect(select: Select): QueryStage[] {
  const { source } = select;
  const stages = source.kind === 'select' ? compileSelect(source.select) : [];
  checkColumns(select);
  const columns = outputColumns(select);
  const times = timeColumns(source);
  stages.push(...compileWhere(select.where, times));
  const grouped = isGrouped(select, columns);
  if (grouped && select.star) throw sqlError('A star cannot stand in a query with groups', { line: 1, column: 1 });
  const grouping = grouped ? compileGroups(select, columns, times) : null;
  const compiler = new ExpressionCompiler(times, grouping?.substitute);
  if (grouping) stages.push(...grouping.stages);
  if (select.having) stages.push({ $match: { $expr: compiler.isTrue(resolveNames(select.having, columns)) } });

  const row = compileRow(select, columns, compiler);
  const cut = compileCut(select);
  if (select.distinct) {
    stages.push({ $replaceWith: row }, { $group: { _id: '$$ROOT' } }, { $replaceWith: '$_id' });
    return [...stages, ...sortBy(outputKeys(select, columns)), ...cut];
  }
  const keys = select.orderBy.map((key) => ({ ...key, expression: resolveKey(key, columns) }));
  if (keys.length === 0) return [...stages, ...cut, ...replaceBy(row)];
  if (!grouped && keys.every(({ expression }) => expression.kind === 'path')) {
    // sorting the documents themselves lets the storage do it where it can
    const paths = keys.map(({ expression, direction }) => [(expression as { path: string }).path, direction] as const);
    return [...stages, ...sortBy(paths), ...cut, ...replaceBy(row)];
  }
  const values = keys.map(({ expression }, index) => [`k${index}`, orNull(compiler.value(expression))] as const);
  stages.push({ $replaceWith: { row, keys: Object.fromEntries(values) } });
  stages.push(...sortBy(keys.map(({ direction }, index) => [`keys.k${index}`, direction] as const)), ...cut);
  return [...stages, { $replaceWith: '$row' }];
}

function isGrouped(select: Select, columns: readonly NamedColumn[]): boolean {
  if (select.groupBy.length > 0 || select.having) return true;
  const shown = [...columns, ...select.orderBy].map(({ expression }) => expression);
  return shown.some((expression) => findAggregate(expression) !== undefined);
}

function compileGroups(
  select: Select,
  columns: readonly NamedColumn[],
  times: TimeColumns,
): { stages: QueryStage[]; substitute: Substitute } {
  const keys = select.groupBy.map((key) => resolveGroupKey(key, columns));
  const plain = new ExpressionCompiler(times);
  const keyValues = new Map<string, string>();
  for (const [index, key] of keys.entries())
    keyValues.set(expressionKey(key), keys.length === 1 ? '$_id' : `$_id.k${index}`);
  const shown = [
    ...columns.map(({ expression }) => expression),
    ...(select.having ? [resolveNames(select.having, columns)] : []),
    ...select.orderBy.map((key) => resolveKey(key, columns)),
  ];
  const aggregates = collectAggregates(shown, plain);
  const id =
    keys.length === 0
      ? null
      : keys.length === 1
        ? orNull(plain.value(keys[0]!))
        : Object.fromEntries(keys.map((key, index) => [`k${index}`, orNull(plain.value(key))]));
  const group = { $group: { _id: id, ...aggregates.accumulators } };
  const substitute: Substitute = (expression) => {
    const key = keyValues.get(expressionKey(expression));
    if (key !== undefined) return key;
    if (expression.kind === 'aggregate') return aggregates.value(expression);
    if (expression.kind === 'path')
      throw sqlError(`${expression.path} must stand in GROUP BY or inside an aggregate`, expression.at);
    return undefined;
  };
  if (keys.length > 0) return { stages: [group], substitute };
  // without keys there is one row, also of no documents, for which $group makes none
  const nothing = { $literal: { _id: null, ...aggregates.ofNothing } };
  return {
    stages: [
      { $facet: { groups: [group] } },
      { $replaceWith: { $ifNull: [{ $arrayElemAt: ['$groups', 0] }, nothing] } },
    ],
    substitute,
  };
}

/** GROUP BY takes an expression, the number of a column or its alias. */
function resolveGroupKey(key: SqlExpression, columns: readonly NamedColumn[]): SqlExpression {
  const column = columnByNumber(key, columns) ?? columnByName(key, columns);
  const expression = column?.expression ?? key;
  const aggregate = findAggregate(expression);
  if (aggregate) throw sqlError('GROUP BY cannot take an aggregate', aggregate.at);
  return expression;
}

/** ORDER BY takes an expression, in which a column's name stands for the column, or the number of a column. */
function resolveKey({ expression }: OrderKey, columns: readonly NamedColumn[]): SqlExpression {
  return columnByNumber(expression, columns)?.expression ?? resolveNames(expression, columns);
}

function columnByNumber(expression: SqlExpression, columns: readonly NamedColumn[]): NamedColumn | undefined {
  if (expression.kind !== 'literal' || typeof expression.value !== 'number') return undefined;
  const column = columns[expression.value - 1];
  if (!column) throw sqlError(`There is no column ${expression.value}`, expression.at);
  return column;
}

/** A column's name goes before a field of the same name, as in BigQuery. */
function columnByName(expression: SqlExpression, columns: readonly NamedColumn[]): NamedColumn | undefined {
  if (expression.kind !== 'path') return undefined;
  return columns.find(({ name }) => name === expression.path);
}

/** Puts columns in the place of their names, except within an aggregate: it takes fields of documents, as no column is there yet. */
function resolveNames(expression: SqlExpression, columns: readonly NamedColumn[]): SqlExpression {
  if (expression.kind === 'aggregate') return expression;
  const column = columnByName(expression, columns);
  return column ? column.expression : mapParts(expression, (part) => resolveNames(part, columns));
}

/** DISTINCT leaves only the rows themselves to be sorted by. */
function outputKeys(select: Select, columns: readonly NamedColumn[]): (readonly [string, 1 | -1])[] {
  return select.orderBy.map(({ expression, direction }) => {
    const column =
      columnByNumber(expression, columns) ??
      columnByName(expression, columns) ??
      columns.find((candidate) => expressionKey(candidate.expression) === expressionKey(expression));
    if (column) return [column.name, direction] as const;
    if (select.star && expression.kind === 'path') return [expression.path, direction] as const;
    throw sqlError('With DISTINCT, ORDER BY takes only what is selected', expression.at);
  });
}

function compileRow(select: Select, columns: readonly NamedColumn[], compiler: ExpressionCompiler): QueryValue {
  const row: QueryDocument = Object.fromEntries(
    columns.map(({ expression, name }) => [name, orNull(compiler.value(expression))]),
  );
  if (!select.star) return row;
  return columns.length === 0 ? '$$ROOT' : { $mergeObjects: ['$$ROOT', row] };
}

function compileCut({ limit, offset }: Select): QueryStage[] {
  const skip = offset > 0 ? [{ $skip: offset }] : [];
  if (limit === 0) return [{ $match: { $expr: false } }];
  return limit === null ? skip : [...skip, { $limit: limit }];
}

function sortBy(keys: readonly (readonly [string, 1 | -1])[]): QueryStage[] {
  return keys.length === 0 ? [] : [{ $sort: Object.fromEntries(keys) }];
}

/** Documents that stay as they are need no stage: what comes behind them may then be answered by the storage. */
const replaceBy = (row: QueryValue): QueryStage[] => (row === '$$ROOT' ? [] : [{ $replaceWith: row }]);

const orNull = (value: QueryValue): QueryValue => ({ $ifNull: [value, null] });
