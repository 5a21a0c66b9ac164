import { readLiteral } from './read-literal.ts';
import type { AggregateName, Arithmetic, CastType, Comparison, SqlExpression } from './sql-expression.ts';
import { expectOnly, isNode, positionOf, sqlError, type SqlNode, type SqlPosition } from './sql-node.ts';

const comparisons: Readonly<Record<string, Comparison>> = {
  '=': '=',
  '!=': '!=',
  '<>': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};
const arithmetics: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%']);
const aggregates: ReadonlySet<string> = new Set(['COUNT', 'SUM', 'AVG', 'MIN', 'MAX']);
const castTypes: Readonly<Record<string, CastType>> = {
  INT64: 'int',
  INTEGER: 'int',
  FLOAT64: 'double',
  DECIMAL: 'double',
  NUMERIC: 'double',
  STRING: 'string',
  BOOL: 'bool',
  TIMESTAMP: 'timestamp',
  DATETIME: 'timestamp',
  DATE: 'date',
};

/** Reads the parser's expressions into those of the subset; `alias` is the table's, which may lead a path. */
export class ExpressionReader {
  readonly #alias: string | null;

  constructor(alias: string | null) {
    this.#alias = alias;
  }

  /** Throws QueryError `invalid-query` with the position of whatever is beyond the subset. */
  read(node: unknown, surroundings: SqlPosition): SqlExpression {
    if (!isNode(node)) throw sqlError('An expression is missing', surroundings);
    const at = positionOf(node, surroundings);
    const literal = readLiteral(node, at);
    if (literal) return literal;
    switch (node.type) {
      case 'column_ref':
        return { kind: 'path', path: this.#readPath(node, at), at };
      case 'binary_expr':
        expectOnly(node, ['operator', 'left', 'right'], at);
        return this.#readBinary(node, at);
      case 'unary_expr':
        expectOnly(node, ['operator', 'expr'], at);
        return this.#readUnary(node, at);
      case 'function':
        return this.#readFunction(node, at);
      case 'aggr_func':
        return this.#readAggregate(node, at);
      case 'case':
        return this.#readCase(node, at);
      case 'cast':
        return this.#readCast(node, at);
      default:
        throw sqlError(
          node.ast ? 'A query within a query is not supported' : `This kind of expression is not supported`,
          at,
        );
    }
  }

  #readPath(node: SqlNode, at: SqlPosition): string {
    expectOnly(node, ['table', 'column', 'subFields'], at);
    const names: unknown[] = [];
    if (node.table !== null && node.table !== this.#alias) names.push(node.table);
    names.push(...readColumn(node.column, at));
    names.push(...((node.subFields as unknown[] | undefined) ?? []));
    for (const name of names) {
      if (name === '*') throw sqlError('A star stands alone or in COUNT(*)', at);
      if (typeof name !== 'string' || name === '' || name === '__proto__' || /[.$]/.test(name))
        throw sqlError(`${String(name)} cannot be part of a path`, at);
    }
    return names.join('.');
  }

  #readBinary(node: SqlNode, at: SqlPosition): SqlExpression {
    const operator = String(node.operator).toUpperCase();
    if (operator === 'AND' || operator === 'OR') return this.#readLogic(node, at);
    refuseBareNot(node.left, at);
    const comparison = comparisons[operator];
    if (comparison !== undefined)
      return {
        kind: 'compare',
        operator: comparison,
        left: this.read(node.left, at),
        right: this.read(node.right, at),
        at,
      };
    if (arithmetics.has(operator)) {
      const operands = { left: this.read(node.left, at), right: this.read(node.right, at) };
      return { kind: 'arithmetic', operator: operator as Arithmetic, ...operands, at };
    }
    const not = /^NOT |^IS NOT$/.test(operator);
    const positive = this.#readPredicate(operator.replace(/^NOT |(?<=^IS) NOT$/, ''), node, at);
    return not ? { kind: 'not', operand: positive, at } : positive;
  }

  #readPredicate(operator: string, node: SqlNode, at: SqlPosition): SqlExpression {
    const operand = this.read(node.left, at);
    switch (operator) {
      case 'IS': {
        const right = this.read(node.right, at);
        if (right.kind === 'literal' && (right.value === null || typeof right.value === 'boolean'))
          return { kind: 'is', operand, value: right.value, at };
        throw sqlError('IS takes NULL, TRUE or FALSE', at);
      }
      case 'LIKE': {
        const right = this.read(node.right, at);
        if (right.kind === 'literal' && typeof right.value === 'string')
          return { kind: 'like', operand, pattern: right.value, at };
        throw sqlError('LIKE takes a text', at);
      }
      case 'IN':
        return { kind: 'in', operand, list: this.#readList(node.right, at), at };
      case 'BETWEEN': {
        const [low, high] = this.#readList(node.right, at);
        return {
          kind: 'and',
          operands: [
            { kind: 'compare', operator: '>=', left: operand, right: low!, at },
            { kind: 'compare', operator: '<=', left: operand, right: high!, at },
          ],
          at,
        };
      }
      default:
        throw sqlError(`The operator ${operator} is not supported`, at);
    }
  }

  #readList(node: unknown, at: SqlPosition): SqlExpression[] {
    if (!isNode(node) || node.type !== 'expr_list' || !Array.isArray(node.value))
      throw sqlError('A list of values is missing', at);
    return node.value.map((item: unknown) => this.read(item, at));
  }

  /**
   * The grammar gives AND and OR one precedence and nests them as it likes, but it keeps their order and marks
   * parentheses: flatten what has none, then let AND bind tighter, as SQL does.
   */
  #readLogic(node: SqlNode, at: SqlPosition): SqlExpression {
    const operands: SqlExpression[] = [];
    const operators: string[] = [];
    const flatten = (part: unknown, root: boolean): void => {
      const operator = isNode(part) && part.type === 'binary_expr' ? String(part.operator).toUpperCase() : '';
      if (isNode(part) && (operator === 'AND' || operator === 'OR') && (root || !part.parentheses)) {
        flatten(part.left, false);
        operators.push(operator);
        flatten(part.right, false);
      } else operands.push(this.read(part, at));
    };
    flatten(node, true);
    const alternatives: SqlExpression[][] = [[operands[0]!]];
    for (const [index, operator] of operators.entries()) {
      if (operator === 'OR') alternatives.push([]);
      alternatives.at(-1)!.push(operands[index + 1]!);
    }
    const joined = alternatives.map((all): SqlExpression =>
      all.length === 1 ? all[0]! : { kind: 'and', operands: all, at },
    );
    return joined.length === 1 ? joined[0]! : { kind: 'or', operands: joined, at };
  }

  #readUnary(node: SqlNode, at: SqlPosition): SqlExpression {
    const operator = String(node.operator).toUpperCase();
    const operand = this.read(node.expr, at);
    if (operator === 'NOT' || operator === '!') return { kind: 'not', operand, at };
    if (operator === '-') return { kind: 'negate', operand, at };
    if (operator === '+') return operand;
    throw sqlError(`The operator ${operator} is not supported`, at);
  }

  #readFunction(node: SqlNode, at: SqlPosition): SqlExpression {
    const name = functionName(node);
    if (name !== 'NOT')
      throw sqlError(`The function ${name} is not supported; COUNT, SUM, AVG, MIN, MAX and CAST are`, at);
    const operands = this.#readList(node.args, at);
    if (operands.length !== 1) throw sqlError('NOT takes one condition', at);
    return { kind: 'not', operand: operands[0]!, at };
  }

  #readAggregate(node: SqlNode, at: SqlPosition): SqlExpression {
    expectOnly(node, ['name', 'args'], at);
    const name = String(node.name).toUpperCase();
    if (!aggregates.has(name)) throw sqlError(`The function ${name} is not supported`, at);
    const args = node.args as SqlNode;
    expectOnly(args, ['expr', 'distinct'], at);
    const star = isNode(args.expr) && args.expr.type === 'star';
    if (star && (name !== 'COUNT' || args.distinct)) throw sqlError(`${name} takes an expression, not a star`, at);
    if (isNode(args.expr) && args.expr.type === 'expr_list') throw sqlError(`${name} takes one expression`, at);
    return {
      kind: 'aggregate',
      name: name as AggregateName,
      distinct: args.distinct === 'DISTINCT',
      argument: star ? null : this.read(args.expr, at),
      at,
    };
  }

  #readCase(node: SqlNode, at: SqlPosition): SqlExpression {
    expectOnly(node, ['expr', 'args'], at);
    const subject = node.expr ? this.read(node.expr, at) : null;
    const branches: { when: SqlExpression; then: SqlExpression }[] = [];
    let otherwise: SqlExpression | null = null;
    for (const branch of node.args as readonly SqlNode[]) {
      const then = this.read(branch.result, at);
      if (branch.type === 'else') otherwise = then;
      else {
        const condition = this.read(branch.cond, at);
        const when = subject && {
          kind: 'compare' as const,
          operator: '=' as const,
          left: subject,
          right: condition,
          at,
        };
        branches.push({ when: when ?? condition, then });
      }
    }
    return { kind: 'case', branches, otherwise, at };
  }

  #readCast(node: SqlNode, at: SqlPosition): SqlExpression {
    expectOnly(node, ['keyword', 'expr', 'symbol', 'target'], at);
    const [target, ...others] = node.target as readonly SqlNode[];
    const name = String(target?.dataType).toUpperCase();
    const type = castTypes[name];
    if (type === undefined || others.length > 0 || target!.length !== undefined)
      throw sqlError(`CAST to ${name} is not supported; ${Object.keys(castTypes).join(', ')} are`, at);
    return { kind: 'cast', operand: this.read(node.expr, at), type, safe: node.keyword === 'safe_cast', at };
  }
}

/** One name is wrapped in an expression, the second of a path is not. */
function readColumn(column: unknown, at: SqlPosition): unknown[] {
  if (!isNode(column)) return [column];
  expectOnly(column, ['expr', 'offset'], at);
  if (Array.isArray(column.offset) && column.offset.length > 0)
    throw sqlError('Brackets are not supported: write a path with dots', at);
  const inner = column.expr as SqlNode;
  if (inner.type === 'column_ref') throw sqlError('Brackets are not supported: write a path with dots', at);
  return [inner.value];
}

/** `NOT (a) = 1` comes out of the grammar as (NOT a) = 1, where SQL means NOT (a = 1). */
function refuseBareNot(node: unknown, at: SqlPosition): void {
  if (isNode(node) && node.type === 'function' && functionName(node) === 'NOT' && !node.parentheses)
    throw sqlError('After NOT, put the whole condition in parentheses', at);
}

function functionName(node: SqlNode): string {
  const { name, schema } = node.name as { name: { value: string }[]; schema?: { value: string } };
  return [schema, ...name]
    .filter((part) => part !== undefined)
    .map(({ value }) => value)
    .join('.')
    .toUpperCase();
}
