import { sqlError, type SqlPosition } from './sql-error.ts';

/** The smallest part of a query that means something. */
export interface SqlToken {
  /** `name` is in backticks, `text` in quotes; a text may also name something, where names stand */
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'symbol' | 'end';
  /** the text that is meant: of a name without its backticks, of a text without its quotes and escapes */
  readonly value: string;
  /** a word in capitals or a symbol, to be compared with; else empty */
  readonly key: string;
  /** offsets into the query, the end exclusive */
  readonly from: number;
  readonly to: number;
  readonly at: SqlPosition;
}

const space = /(?:[ \t\n\r]|--[^\n\r]*|#[^\n\r]*)+/y;
// a colon and letters with accents may follow the first letter of a word, and need no backticks
const word = /[A-Za-z_][\w:\u00C0-\u017F\u4E00-\u9FA5]*/y;
const number = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const symbol = /<=|>=|<>|!=|==|\|\||&&|<<|>>|::|[^]/uy;

/** Splits a query, in one pass; the last token is its end. Throws QueryError `invalid-query` for quotes that do not close. */
export function sqlTokens(sql: string): readonly SqlToken[] {
  const tokens: SqlToken[] = [];
  let line = 1;
  let lineStart = 0;
  let from = 0;

  /** Goes on after what was read, counting its lines. */
  function advance(to: number): void {
    for (; from < to; from++) {
      if (sql[from] !== '\n') continue;
      line++;
      lineStart = from + 1;
    }
  }
  const position = (): SqlPosition => ({ line, column: from - lineStart + 1 });

  function skipSpace(): void {
    for (;;) {
      if (sql.startsWith('/*', from)) {
        const end = sql.indexOf('*/', from + 2);
        if (end < 0) throw sqlError('The comment that begins here has no */ at its end', position());
        advance(end + 2);
      } else {
        const to = endOf(space, sql, from);
        if (to === from) return;
        advance(to);
      }
    }
  }

  function add(kind: SqlToken['kind'], to: number, value: string): void {
    const key = kind === 'word' ? value.toUpperCase() : kind === 'symbol' ? value : '';
    tokens.push({ kind, value, key, from, to, at: position() });
    advance(to);
  }

  for (skipSpace(); from < sql.length; skipSpace()) {
    const quote = sql[from]!;
    if (quote === "'" || quote === '"') {
      const to = endOfText(sql, from);
      if (to === undefined) throw sqlError(`The text that begins here has no ${quote} at its end`, position());
      add('text', to, unescapeText(sql.slice(from + 1, to - 1)));
      continue;
    }
    if (quote === '`') {
      const end = sql.indexOf('`', from + 1);
      if (end < 0) throw sqlError('The name that begins here has no ` at its end', position());
      add('name', end + 1, sql.slice(from + 1, end));
      continue;
    }
    const kinds = [['word', word] as const, ['number', number] as const, ['symbol', symbol] as const];
    for (const [kind, pattern] of kinds) {
      const to = endOf(pattern, sql, from);
      if (to === from) continue;
      add(kind, to, sql.slice(from, to));
      break;
    }
  }
  add('end', from, '');
  return tokens;
}

/** Where a pattern that begins at an offset ends; the offset itself where it does not begin there. */
function endOf(pattern: RegExp, sql: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(sql) ? pattern.lastIndex : from;
}

/** The offset after the closing quote, or undefined. A doubled quote and one after a backslash belong to the text. */
function endOfText(sql: string, from: number): number | undefined {
  const quote = sql[from];
  for (let offset = from + 1; offset < sql.length; offset++) {
    if (sql[offset] === '\\') offset++;
    else if (sql[offset] === quote) {
      if (sql[offset + 1] !== quote) return offset + 1;
      offset++;
    }
  }
  return undefined;
}

const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
};

/**
 * Two single quotes are one, in quotes of either kind. An unknown escape keeps its backslash: LIKE 'a\_b' means an
 * underscore.
 */
function unescapeText(written: string): string {
  return written.replaceAll(/''|\\u([0-9a-fA-F]{4})|\\([^])/g, (all, code?: string, character?: string) => {
    if (all === "''") return "'";
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return escapes[character!] ?? all;
  });
}
