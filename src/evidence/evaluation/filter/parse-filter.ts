import type { ErrorKind } from '../sweep/error-kinds.ts';
import { errorKinds } from '../sweep/error-kinds.ts';

/** What a filter asks of an error. */
export interface FilterSubject {
  readonly kind: ErrorKind;
  /** null: missed truth */
  readonly score: number | null;
  /** label of the result; null: missed truth */
  readonly resultLabel: string | null;
  /** label of the truth that was meant; null: none */
  readonly truthLabel: string | null;
  /** width of the truth box, else of the result's, in pixels */
  readonly width: number;
  readonly height: number;
  /** name of the image */
  readonly image: string;
}

/** A filter that was understood, or why it was not. */
export type ParsedFilter =
  | { readonly matches: (subject: FilterSubject) => boolean; readonly error: null }
  | { readonly matches: null; readonly error: string };

export interface FilterWords {
  /** other names of the kinds, such as those of the page */
  readonly kinds?: Readonly<Partial<Record<ErrorKind, string>>>;
  /** labels that can be asked for; default: any */
  readonly labels?: readonly string[];
}

type Test = (subject: FilterSubject) => boolean;

interface Token {
  readonly text: string;
  readonly isQuoted: boolean;
}

class FilterError extends Error {}

/**
 * Reads a filter such as `FP and score > 0.8 and label = person`. A condition is a kind of error (`FP`: any false result,
 * `FN` or `missed`, `class`, `place`, `both`, `twice`, `background`, or the page's words), or a comparison by `=`, `!=`,
 * `<`, `<=`, `>` or `>=`: of `score`, `size` (the square root of the area), `width`, `height` in pixels, `label` (of truth
 * or result), `truth`, `result` (their labels), `image` (its name). `*` in a name stands for any letters. Conditions are
 * joined by `and`, `or`, `not` and parentheses; `and` binds more than `or`. Case does not matter.
 *
 * @param text as it was typed; empty: everything
 * @param words of the page, and the labels at hand
 * @returns what to ask of each error, or what was read and what can be said
 * @example
 * const error = { kind: 'background', score: 0.9, resultLabel: 'person', truthLabel: null, width: 9, height: 9, image: 'a.jpg' };
 * parseFilter('FP and score > 0.8 and label = person').matches(error); // => true
 */
export function parseFilter(text: string, { kinds = {}, labels }: FilterWords = {}): ParsedFilter {
  if (text.trim() === '') return { matches: () => true, error: null };
  try {
    return { matches: new FilterReader(text, kinds, labels ?? null).read(), error: null };
  } catch (error) {
    if (error instanceof FilterError) return { matches: null, error: error.message };
    throw error;
  }
}

const numbers: Readonly<Record<string, (subject: FilterSubject) => number | null>> = {
  score: ({ score }) => score,
  size: ({ width, height }) => Math.sqrt(width * height),
  width: ({ width }) => width,
  height: ({ height }) => height,
};

const names: Readonly<Record<string, (subject: FilterSubject) => readonly (string | null)[]>> = {
  label: ({ truthLabel, resultLabel }) => [truthLabel, resultLabel],
  truth: ({ truthLabel }) => [truthLabel],
  result: ({ resultLabel }) => [resultLabel],
  image: ({ image }) => [image],
};

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '=': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

const fields = [...Object.keys(numbers), ...Object.keys(names)];
const joining = new Set(['and', 'or', 'not', '(', ')']);

class FilterReader {
  readonly #tokens: readonly Token[];
  readonly #kinds: ReadonlyMap<string, readonly ErrorKind[]>;
  readonly #labels: readonly string[] | null;
  #at = 0;

  constructor(text: string, kinds: NonNullable<FilterWords['kinds']>, labels: readonly string[] | null) {
    this.#tokens = Array.from(
      text.matchAll(/"([^"]*)"|'([^']*)'|(!=|<=|>=|[=<>()])|([^\s=<>!()"']+)|(\S)/g),
      ([all, double, single]) => ({ text: double ?? single ?? all, isQuoted: (double ?? single) !== undefined }),
    );
    const other = errorKinds.flatMap((kind) => (kinds[kind] ? [[kinds[kind].toLowerCase(), [kind]] as const] : []));
    this.#kinds = new Map<string, readonly ErrorKind[]>([
      ['fp', errorKinds.filter((kind) => kind !== 'missed')],
      ['fn', ['missed']],
      ...errorKinds.map((kind) => [kind, [kind]] as const),
      ...other,
    ]);
    this.#labels = labels;
  }

  read(): Test {
    const test = this.#any();
    const left = this.#tokens[this.#at];
    if (left?.text === ')') throw new FilterError('A ")" has no "(" before it.');
    if (left) throw new FilterError(`"${left.text}" stands where "and" or "or" is expected.`);
    return test;
  }

  /** The next word in small letters, if it is not quoted; '': there is none. */
  get #word(): string {
    const token = this.#tokens[this.#at];
    return token && !token.isQuoted ? token.text.toLowerCase() : '';
  }

  #any(): Test {
    const tests = [this.#all()];
    while (this.#takes('or')) tests.push(this.#all());
    return (subject) => tests.some((test) => test(subject));
  }

  #all(): Test {
    const tests = [this.#one()];
    while (this.#takes('and')) tests.push(this.#one());
    return (subject) => tests.every((test) => test(subject));
  }

  #one(): Test {
    if (this.#takes('not')) {
      const test = this.#one();
      return (subject) => !test(subject);
    }
    if (this.#takes('(')) {
      const test = this.#any();
      if (!this.#takes(')')) throw new FilterError('A "(" has no ")" behind it.');
      return test;
    }
    return this.#kind() ?? this.#comparison();
  }

  #takes(word: string): boolean {
    if (this.#word !== word) return false;
    this.#at++;
    return true;
  }

  /** A kind of error, whose name may have several words; null: something else stands here. */
  #kind(): Test | null {
    const isQuoted = this.#tokens[this.#at]?.isQuoted ?? false;
    for (const [name, kinds] of this.#kinds) {
      const here = this.#tokens.slice(this.#at, this.#at + (isQuoted ? 1 : name.split(' ').length));
      if (here.map(({ text }) => text.toLowerCase()).join(' ') !== name) continue;
      this.#at += here.length;
      return ({ kind }) => kinds.includes(kind);
    }
    return null;
  }

  #comparison(): Test {
    const [token, field] = [this.#tokens[this.#at], this.#word];
    const isNumber = field in numbers;
    if (!isNumber && !(field in names)) {
      const read = token ? `"${token.text}" is not a condition.` : 'The filter ends where a condition is expected.';
      const kinds = [...this.#kinds.keys()].map((name) => (name.length === 2 ? name.toUpperCase() : name));
      throw new FilterError(`${read} Say a kind of error (${kinds.join(', ')}) or compare ${fields.join(', ')}.`);
    }
    this.#at++;
    const sign = this.#word;
    if (!(sign in comparisons)) {
      const signs = isNumber ? '=, !=, <, <=, > or >=' : '= or !=';
      throw new FilterError(`After "${field}" comes ${signs}${sign ? `, not "${this.#tokens[this.#at]!.text}"` : ''}.`);
    }
    this.#at++;
    return isNumber ? this.#compareNumber(field, sign) : this.#compareName(field, sign);
  }

  #compareNumber(field: string, sign: string): Test {
    const token = this.#tokens[this.#at];
    const wanted = Number(token?.text);
    if (!token || token.text === '' || !Number.isFinite(wanted))
      throw new FilterError(`"${field} ${sign}" needs a number${token ? `, not "${token.text}"` : ''}.`);
    this.#at++;
    const [valueOf, compare] = [numbers[field]!, comparisons[sign]!];
    return (subject) => {
      const value = valueOf(subject);
      return value !== null && compare(value, wanted);
    };
  }

  #compareName(field: string, sign: string): Test {
    if (sign !== '=' && sign !== '!=')
      throw new FilterError(`"${field}" is a name: compare it by = or !=, not ${sign}.`);
    const words: string[] = [];
    for (let token = this.#tokens[this.#at]; token; token = this.#tokens[++this.#at]) {
      if (!token.isQuoted && joining.has(token.text.toLowerCase())) break;
      words.push(token.text);
    }
    if (words.length === 0) throw new FilterError(`"${field} ${sign}" needs a name.`);
    const name = words.join(' ');
    const pattern = new RegExp(`^${name.split('*').map(escaped).join('.*')}$`, 'i');
    if (field !== 'image' && this.#labels && !this.#labels.some((label) => pattern.test(label)))
      throw new FilterError(`No label is "${name}". There are ${someOf(this.#labels)}.`);
    const namesOf = names[field]!;
    const isNamed: Test = (subject) => namesOf(subject).some((one) => one !== null && pattern.test(one));
    return sign === '=' ? isNamed : (subject) => !isNamed(subject);
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const mostNamed = 8;

const someOf = (labels: readonly string[]): string =>
  labels.slice(0, mostNamed).join(', ') + (labels.length > mostNamed ? ` and ${labels.length - mostNamed} more` : '');
