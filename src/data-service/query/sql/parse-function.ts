import { sqlError } from './sql-error.ts';
import type { SqlExpression, TimeUnit } from './sql-expression.ts';
import type { SqlToken } from './sql-token.ts';
import type { TokenReader } from './token-reader.ts';

/** Reads what comes next, up to a comma or a bracket that closes. */
type Parse = (tokens: TokenReader) => SqlExpression;

/** Most digits that ROUND takes: a double tells fewer apart. */
const maxDigits = 20;
const timeUnits: Readonly<Record<string, TimeUnit>> = {
  YEAR: 'year',
  QUARTER: 'quarter',
  MONTH: 'month',
  WEEK: 'week',
  ISOWEEK: 'isoweek',
  DAY: 'day',
  HOUR: 'hour',
  MINUTE: 'minute',
  SECOND: 'second',
};

const functions: Readonly<Record<string, (tokens: TokenReader, word: SqlToken, parse: Parse) => SqlExpression>> = {
  COALESCE(tokens, { at }, parse) {
    const operands = [parse(tokens)];
    while (tokens.accept(',')) operands.push(parse(tokens));
    return { kind: 'coalesce', operands, at };
  },
  DATE_TRUNC: (tokens, { at }, parse) => ({
    kind: 'date-trunc',
    operand: parseTime(tokens, parse),
    unit: parseUnit(tokens),
    at,
  }),
  LOWER: (tokens, { at }, parse) => ({ kind: 'lower', operand: parse(tokens), at }),
  ROUND: (tokens, { at }, parse) => ({ kind: 'round', operand: parse(tokens), digits: parseDigits(tokens, parse), at }),
  UPPER: (tokens, { at }, parse) => ({ kind: 'upper', operand: parse(tokens), at }),
};

export const isFunction = (key: string): boolean => Object.hasOwn(functions, key);

/** Reads a call of a function that `isFunction` knows: its name, and the arguments in parentheses. */
export function parseFunction(tokens: TokenReader, parse: Parse): SqlExpression {
  const word = tokens.next();
  tokens.expect('(');
  const call = functions[word.key]!(tokens, word, parse);
  if (tokens.peek().key === ',') throw sqlError(`${word.key} takes fewer values`, tokens.peek().at);
  tokens.expect(')');
  return call;
}

export const unknownFunction = (name: string, { at }: SqlToken) =>
  sqlError(
    `The function ${name} is not supported; COUNT, SUM, AVG, MIN, MAX, CAST, ${Object.keys(functions).join(', ')} are`,
    at,
  );

function parseDigits(tokens: TokenReader, parse: Parse): number {
  if (!tokens.accept(',')) return 0;
  const digits = parse(tokens);
  if (digits.kind !== 'literal' || !Number.isInteger(digits.value) || Math.abs(digits.value as number) > maxDigits)
    throw sqlError(`The digits of ROUND are a whole number from -${maxDigits} to ${maxDigits}`, digits.at);
  return digits.value as number;
}

function parseTime(tokens: TokenReader, parse: Parse): SqlExpression {
  const time = parse(tokens);
  if (time.kind === 'literal' && !(time.value instanceof Date) && time.value !== null)
    throw sqlError('DATE_TRUNC takes the time first: DATE_TRUNC(time_requested, DAY)', time.at);
  return time;
}

function parseUnit(tokens: TokenReader): TimeUnit {
  tokens.expect(',');
  const { kind, value, at } = tokens.peek();
  const unit = timeUnits[value.toUpperCase()];
  if (unit === undefined || (kind !== 'word' && kind !== 'text'))
    throw sqlError(`The part of a time is one of ${Object.keys(timeUnits).join(', ')}`, at);
  tokens.next();
  return unit;
}
