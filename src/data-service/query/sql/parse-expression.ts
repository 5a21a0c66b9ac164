import { isFunction, parseFunction, unknownFunction } from './parse-function.ts';
import { isReserved, takeNames } from './parse-name.ts';
import { parseTimestamp } from './parse-timestamp.ts';
import { sqlError, type SqlPosition } from './sql-error.ts';
import type { AggregateName, Arithmetic, CastType, Comparison, LiteralValue, SqlExpression } from './sql-expression.ts';
import type { TokenReader } from './token-reader.ts';

const comparisons: Readonly<Record<string, Comparison>> = {
  '=': '=',
  '!=': '!=',
  '<>': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};
/** How tightly operators bind their operands. */
const powers: Readonly<Record<string, number>> = { '+': 1, '-': 1, '*': 2, '/': 2, '%': 2 };
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

/**
 * Reads an expression: OR binds loosest, then AND, NOT, comparisons, + and -, * and /, signs. Each level is a function
 * that leaves what binds looser to its caller. Throws QueryError `invalid-query` with the position of what is no
 * expression of the subset.
 */
export function parseExpression(tokens: TokenReader): SqlExpression {
  return tokens.nested(() => parseJoined('or', tokens, () => parseJoined('and', tokens, () => parseNot(tokens))));
}

/** Operands that parentheses keep together stay one operand. */
function parseJoined(kind: 'and' | 'or', tokens: TokenReader, parseOperand: () => SqlExpression): SqlExpression {
  const first = parseOperand();
  const operands = [first];
  while (tokens.accept(kind.toUpperCase())) operands.push(parseOperand());
  return operands.length === 1 ? first : { kind, operands, at: first.at };
}

function parseNot(tokens: TokenReader): SqlExpression {
  const { key, at } = tokens.peek();
  if (key !== 'NOT' || tokens.peek(1).key === '.') return parseComparison(tokens);
  tokens.next();
  return { kind: 'not', operand: tokens.nested(() => parseNot(tokens)), at };
}

function parseComparison(tokens: TokenReader): SqlExpression {
  let left = parseArithmetic(tokens);
  let operator = comparisons[tokens.peek().key];
  if (operator === undefined) left = parsePredicate(left, tokens);
  for (; operator !== undefined; operator = comparisons[tokens.peek().key]) {
    tokens.next();
    left = { kind: 'compare', operator, left, right: parseArithmetic(tokens), at: left.at };
  }
  const { key, at } = tokens.peek();
  if (key in comparisons || ['IS', 'IN', 'LIKE', 'BETWEEN'].includes(key))
    throw sqlError('Of two comparisons side by side, put one in parentheses', at);
  return left;
}

/** IS, IN, LIKE and BETWEEN, with or without NOT; the operand alone where none of them comes next. */
function parsePredicate(operand: SqlExpression, tokens: TokenReader): SqlExpression {
  const { at } = operand;
  const negated = (positive: SqlExpression, not: boolean): SqlExpression =>
    not ? { kind: 'not', operand: positive, at } : positive;
  if (tokens.accept('IS')) {
    const not = tokens.accept('NOT');
    const right = parseArithmetic(tokens);
    if (right.kind !== 'literal' || !(right.value === null || typeof right.value === 'boolean'))
      throw sqlError('IS takes NULL, TRUE or FALSE', right.at);
    return negated({ kind: 'is', operand, value: right.value, at }, not);
  }
  const not = tokens.peek().key === 'NOT';
  const { key } = tokens.peek(not ? 1 : 0);
  if (key !== 'IN' && key !== 'LIKE' && key !== 'BETWEEN') return operand;
  if (not) tokens.next();
  tokens.next();
  switch (key) {
    case 'IN':
      return negated({ kind: 'in', operand, list: parseList(tokens), at }, not);
    case 'LIKE': {
      const right = parseArithmetic(tokens);
      if (right.kind !== 'literal' || typeof right.value !== 'string') throw sqlError('LIKE takes a text', right.at);
      return negated({ kind: 'like', operand, pattern: right.value, at }, not);
    }
    case 'BETWEEN': {
      const low = parseArithmetic(tokens);
      tokens.expect('AND');
      const operands: SqlExpression[] = [
        { kind: 'compare', operator: '>=', left: operand, right: low, at },
        { kind: 'compare', operator: '<=', left: operand, right: parseArithmetic(tokens), at },
      ];
      return negated({ kind: 'and', operands, at }, not);
    }
  }
}

function parseList(tokens: TokenReader): SqlExpression[] {
  if (!tokens.accept('(')) throw tokens.unexpected('A list of values in parentheses');
  refuseQuery(tokens);
  const list: SqlExpression[] = [];
  do list.push(parseExpression(tokens));
  while (tokens.accept(','));
  tokens.expect(')');
  return list;
}

/** Operators that bind at least so tightly, and their operands; of equal ones the left comes first. */
function parseArithmetic(tokens: TokenReader, power = 1): SqlExpression {
  let left = parseOperand(tokens);
  for (;;) {
    const { key } = tokens.peek();
    const own = powers[key];
    if (own === undefined || own < power) return left;
    tokens.next();
    const right = parseArithmetic(tokens, own + 1);
    left = { kind: 'arithmetic', operator: key as Arithmetic, left, right, at: left.at };
  }
}

function parseOperand(tokens: TokenReader): SqlExpression {
  const { kind, key, value, at, to } = tokens.peek();
  switch (kind) {
    case 'word':
      return parseWord(tokens);
    case 'name':
      return parsePath(tokens);
    case 'number':
      tokens.next();
      return { kind: 'literal', value: Number(value), at };
    case 'text':
      tokens.next();
      return { kind: 'literal', value, at };
    default:
  }
  if (key === '(') return parseParentheses(tokens);
  if (key !== '-' && key !== '+' && key !== '!') throw tokens.unexpected('A value');
  tokens.next();
  const signed = tokens.peek();
  // a sign that touches its number belongs to it
  if (signed.kind === 'number' && signed.from === to && key !== '!')
    return { kind: 'literal', value: Number(key + tokens.next().value), at };
  const operand = tokens.nested(() => parseOperand(tokens));
  if (key === '+') return operand;
  return { kind: key === '-' ? 'negate' : 'not', operand, at };
}

function parseParentheses(tokens: TokenReader): SqlExpression {
  tokens.expect('(');
  refuseQuery(tokens);
  const inner = parseExpression(tokens);
  if (tokens.peek().key === ',') throw sqlError('A list of values stands only after IN', tokens.peek().at);
  tokens.expect(')');
  return inner;
}

function parseWord(tokens: TokenReader): SqlExpression {
  const word = tokens.peek();
  const { key, at } = word;
  const after = tokens.peek(1);
  const literal = (value: LiteralValue, length = 1): SqlExpression => {
    for (let taken = 0; taken < length; taken++) tokens.next();
    return { kind: 'literal', value, at };
  };
  if (after.key === '.') return parsePath(tokens);
  if (key === 'NULL') return literal(null);
  if (key === 'TRUE' || key === 'FALSE') return literal(key === 'TRUE');
  if (key === 'CASE') return parseCase(tokens);
  if (after.kind === 'text') {
    if (key === 'DATE' || key === 'DATETIME' || key === 'TIMESTAMP') return literal(parseTimestamp(after.value, at), 2);
    if (key === 'TIME') throw sqlError('TIME is not supported; DATE, DATETIME and TIMESTAMP are', at);
    if (key === 'R' && after.from === word.to)
      throw sqlError('Raw texts are not supported: leave out the r and double each backslash', at);
  }
  if (key === 'INTERVAL' && after.kind === 'number') throw sqlError('INTERVAL is not supported', at);
  if (after.key === '(') {
    if (key === 'CAST' || key === 'SAFE_CAST') return parseCast(tokens);
    if (aggregates.has(key)) return parseAggregate(tokens);
    if (isFunction(key)) return parseFunction(tokens, parseExpression);
    if (key === 'NOT') {
      // where a NOT over the whole comparison cannot stand, it means what is in the parentheses
      tokens.next();
      return { kind: 'not', operand: parseParentheses(tokens), at };
    }
    if (key === 'EXISTS') throw queryInExpression(at);
    if (key === 'LEFT') throw unknownFunction(key, word);
  }
  if (!isReserved(word)) return parsePath(tokens);
  if (key.startsWith('CURRENT_')) throw unknownFunction(key, word);
  throw sqlError(`A value is expected, not ${key}; a column of that name is written in backticks`, at);
}

function parsePath(tokens: TokenReader): SqlExpression {
  const first = tokens.peek();
  const names = takeNames(tokens);
  if (tokens.peek().key === '(') throw unknownFunction(names.join('.').toUpperCase(), first);
  for (const name of names) {
    if (name === '*') throw sqlError('A star stands alone or in COUNT(*)', first.at);
    if (name === '' || name === '__proto__' || /[.$]/.test(name))
      throw sqlError(`${JSON.stringify(name)} cannot be part of a path`, first.at);
  }
  return { kind: 'path', path: names.join('.'), at: first.at };
}

function parseAggregate(tokens: TokenReader): SqlExpression {
  const { key, at } = tokens.next();
  const name = key as AggregateName;
  tokens.expect('(');
  const distinct = tokens.accept('DISTINCT');
  if (tokens.peek().key === '*' && (distinct || name !== 'COUNT'))
    throw sqlError(`${name}${distinct ? ' DISTINCT' : ''} takes an expression, not a star`, tokens.peek().at);
  let argument: SqlExpression | null = null;
  // only COUNT takes a condition: of the others a truth value would give nothing
  if (!tokens.accept('*'))
    argument = name === 'COUNT' ? parseExpression(tokens) : tokens.nested(() => parseArithmetic(tokens));
  if (tokens.peek().key === ',') throw sqlError(`${name} takes one expression`, tokens.peek().at);
  tokens.expect(')');
  if (tokens.peek().key === 'OVER' && tokens.peek(1).key === '(') throw tokens.unexpected('A clause');
  return { kind: 'aggregate', name, distinct, argument, at };
}

function parseCast(tokens: TokenReader): SqlExpression {
  const { key, at } = tokens.next();
  tokens.expect('(');
  const operand = parseExpression(tokens);
  tokens.expect('AS');
  const target = tokens.peek();
  if (target.kind !== 'word') throw tokens.unexpected('A type');
  tokens.next();
  const type = castTypes[target.key];
  const known = Object.keys(castTypes).join(', ');
  if (type === undefined || tokens.peek().key === '(')
    throw sqlError(`CAST to ${target.key}${type ? ' with a length' : ''} is not supported; ${known} are`, target.at);
  tokens.expect(')');
  return { kind: 'cast', operand, type, safe: key === 'SAFE_CAST', at };
}

function parseCase(tokens: TokenReader): SqlExpression {
  const { at } = tokens.next();
  const subject = tokens.peek().key === 'WHEN' ? null : parseExpression(tokens);
  const branches: { when: SqlExpression; then: SqlExpression }[] = [];
  do {
    tokens.expect('WHEN');
    const right = parseExpression(tokens);
    const when: SqlExpression = subject ? { kind: 'compare', operator: '=', left: subject, right, at } : right;
    tokens.expect('THEN');
    branches.push({ when, then: parseExpression(tokens) });
  } while (tokens.peek().key === 'WHEN');
  const otherwise = tokens.accept('ELSE') ? parseExpression(tokens) : null;
  tokens.expect('END');
  tokens.accept('CASE');
  return { kind: 'case', branches, otherwise, at };
}

function refuseQuery(tokens: TokenReader): void {
  const { key, at } = tokens.peek();
  if (key === 'SELECT' || key === 'WITH') throw queryInExpression(at);
}

const queryInExpression = (at: SqlPosition) =>
  sqlError('A query within an expression is not supported; one stands in FROM, or in WITH', at);
