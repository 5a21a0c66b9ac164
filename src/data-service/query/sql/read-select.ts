import { ExpressionReader } from './read-expression.ts';
import { findAggregate, type SqlExpression } from './sql-expression.ts';
import { expectOnly, isNode, positionOf, sqlError, type SqlNode, type SqlPosition } from './sql-node.ts';

/** A column of the answer; `name` is null for an expression that neither has an alias nor is a path. */
export interface SelectColumn {
  readonly expression: SqlExpression;
  readonly name: string | null;
}

export interface OrderKey {
  readonly expression: SqlExpression;
  readonly direction: 1 | -1;
}

export interface Select {
  readonly distinct: boolean;
  /** all fields of the document, before the columns */
  readonly star: boolean;
  readonly columns: readonly SelectColumn[];
  readonly where: SqlExpression | null;
  readonly groupBy: readonly SqlExpression[];
  readonly having: SqlExpression | null;
  readonly orderBy: readonly OrderKey[];
  readonly limit: number | null;
  readonly offset: number;
}

const start: SqlPosition = { line: 1, column: 1 };
const clauses = ['distinct', 'columns', 'from', 'where', 'groupby', 'having', 'orderby', 'limit'];

/** Reads the one SELECT of a query. Throws QueryError `invalid-query` with the position of anything else. */
export function readSelect(parsed: unknown): Select {
  const statements = Array.isArray(parsed) ? parsed : [parsed];
  if (statements.length !== 1) throw sqlError('A query is one SELECT', start);
  const node = statements[0] as SqlNode;
  if (node.type !== 'select') throw sqlError(`A query is a SELECT, not ${String(node.type).toUpperCase()}`, start);
  expectOnly(node, clauses, start);
  const reader = new ExpressionReader(readFrom(node.from));
  const where = node.where ? reader.read(node.where, start) : null;
  const aggregate = where && findAggregate(where);
  if (aggregate) throw sqlError('An aggregate belongs into HAVING, not into WHERE', aggregate.at);
  return {
    distinct: node.distinct === 'DISTINCT',
    ...readColumns(node.columns as readonly SqlNode[], reader),
    where,
    groupBy: readGroupBy(node.groupby, reader),
    having: node.having ? reader.read(node.having, start) : null,
    orderBy: ((node.orderby as readonly SqlNode[] | null) ?? []).map((key) => readOrderKey(key, reader)),
    ...readLimit(node.limit),
  };
}

/** The alias of the one table, or null. */
function readFrom(from: unknown): string | null {
  if (!Array.isArray(from) || from.length === 0) throw sqlError('FROM readings is missing', start);
  const [table, ...others] = from as SqlNode[];
  const at = positionOf(table!, start);
  if (others.length > 0)
    throw sqlError('There is one table, readings: no JOIN, no second table', positionOf(others[0]!, at));
  if (table!.expr) throw sqlError('A query within a query is not supported', at);
  expectOnly(table!, ['db', 'table', 'as', 'operator'], at);
  const name = [table!.db, table!.table].filter((part) => part).join('.');
  if (name !== 'readings' && name !== 'sensorData.readings')
    throw sqlError(`There is no table ${name}; there is readings, or sensorData.readings`, at);
  const alias = aliasOf(table!);
  return typeof alias === 'string' ? alias : 'readings';
}

/** What stands after AS: a name, which the parser wraps where it is quoted. */
const aliasOf = ({ as }: SqlNode): unknown => (isNode(as) ? as.value : as);

function readColumns(nodes: readonly SqlNode[], reader: ExpressionReader): Pick<Select, 'star' | 'columns'> {
  let star = false;
  const columns: SelectColumn[] = [];
  for (const node of nodes) {
    const at = positionOf(node, start);
    expectOnly(node, ['expr', 'as'], at);
    const expr = node.expr as SqlNode;
    if (expr.type === 'star' || (expr.type === 'column_ref' && expr.column === '*' && !expr.table)) {
      star = true;
      continue;
    }
    const expression = reader.read(expr, at);
    const name = aliasOf(node) ?? (expression.kind === 'path' ? expression.path.split('.').at(-1)! : null);
    columns.push({ expression, name: name === null ? null : readName(name, at) });
  }
  return { star, columns };
}

function readName(name: unknown, at: SqlPosition): string {
  if (typeof name !== 'string' || name === '' || name === '__proto__' || /^\$|[.\0]/.test(name))
    throw sqlError(`${String(name)} cannot be the name of a column`, at);
  return name;
}

function readGroupBy(node: unknown, reader: ExpressionReader): SqlExpression[] {
  if (!isNode(node)) return [];
  expectOnly(node, ['columns'], start);
  return (node.columns as readonly unknown[]).map((column) => reader.read(column, start));
}

function readOrderKey(node: SqlNode, reader: ExpressionReader): OrderKey {
  const at = positionOf(node, start);
  const expression = reader.read(node.expr, at);
  // only "type" tells the direction; expectOnly never looks at it
  const { type, ...others } = node;
  expectOnly(others, ['expr'], expression.at);
  return { expression, direction: type === 'DESC' ? -1 : 1 };
}

function readLimit(node: unknown): Pick<Select, 'limit' | 'offset'> {
  if (!isNode(node)) return { limit: null, offset: 0 };
  const at = positionOf(node, start);
  const [limit, offset] = (node.value as readonly SqlNode[]).map((part) => {
    if (part.type !== 'number' || !Number.isSafeInteger(Number(part.value)) || Number(part.value) < 0)
      throw sqlError('LIMIT and OFFSET take whole numbers', at);
    return Number(part.value);
  });
  if (offset !== undefined && node.seperator !== 'offset') throw sqlError('Write LIMIT n OFFSET m', at);
  return { limit: limit ?? null, offset: offset ?? 0 };
}
