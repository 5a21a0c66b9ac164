import { describe, expect, it } from 'vitest';
import { sqlTokens } from './sql-token.ts';

const shortOf = { word: 'w', name: 'n', text: 't', number: '1', symbol: 's', end: 'e' } as const;
/** Kinds and values, without the end. */
const tokens = (sql: string): string[] =>
  sqlTokens(sql)
    .slice(0, -1)
    .map(({ kind, value }) => `${shortOf[kind]}:${value}`);

describe('tokens', () => {
  const cases: readonly [string, string[]][] = [
    ['', []],
    ['a b', ['w:a', 'w:b']],
    ['_a1 A9_ x:y bé é', ['w:_a1', 'w:A9_', 'w:x:y', 'w:bé', 's:é']],
    ['a-1', ['w:a', 's:-', '1:1']],
    ['1 007 1.50 1e3 1.5E-3 2e+1', ['1:1', '1:007', '1:1.50', '1:1e3', '1:1.5E-3', '1:2e+1']],
    ['1. .5 1e 1a 1.2.3', ['1:1', 's:.', 's:.', '1:5', '1:1', 'w:e', '1:1', 'w:a', '1:1.2', 's:.', '1:3']],
    [
      '<= >= <> != == || && < > = ! -',
      ['<=', '>=', '<>', '!=', '==', '||', '&&', '<', '>', '=', '!', '-'].map((s) => `s:${s}`),
    ],
    ['<==', ['s:<=', 's:=']],
    ['`a b` `it\'s` `"`', ['n:a b', "n:it's", 'n:"']],
    ["'a' '' 'a b' '--' '/*'", ['t:a', 't:', 't:a b', 't:--', 't:/*']],
    ["'it''s' 'it\\'s' \"it's\" \"it''s\"", ["t:it's", "t:it's", "t:it's", "t:it's"]],
    ['"say ""x""" "say \\"x\\""', ['t:say ""x""', 't:say "x"']],
    ["'\\n\\r\\t\\b\\f\\\\\\`\\u00e9'", ['t:\n\r\t\b\f\\`é']],
    ["'\\_\\%\\q\\/\\u12'", ['t:\\_\\%\\q\\/\\u12']],
    ['\'a\nb\' "a\tb"', ['t:a\nb', 't:a\tb']],
    ["'\\\\' 'x'", ['t:\\', 't:x']],
    ['a/* b */c /**/ d /* * / */', ['w:a', 'w:c', 'w:d']],
    ['a -- b\nc # d\r e', ['w:a', 'w:c', 'w:e']],
    ['a - -b--c', ['w:a', 's:-', 's:-', 'w:b']],
    ['😀', ['s:😀']],
    ['a\u00a0b', ['w:a', 's:\u00a0', 'w:b']],
  ];
  it.each(cases)('%j', (sql, expected) => expect(tokens(sql)).toEqual(expected));

  it('compares words in capitals, symbols as they are, and nothing else', () => {
    expect(sqlTokens('Select `select` "select" 1 <=').map(({ key }) => key)).toEqual(['SELECT', '', '', '', '<=', '']);
  });

  it('know where they stand', () => {
    const at = sqlTokens('a\n  bc /* \n\n */ "\n" d\r\n`e`').map(({ at: { line, column } }) => `${line}:${column}`);
    expect(at).toEqual(['1:1', '2:3', '4:5', '5:3', '6:1', '6:4']);
    expect(sqlTokens(' ab "c"').map(({ from, to }) => [from, to])).toEqual([
      [1, 3],
      [4, 7],
      [7, 7],
    ]);
  });

  const refusals: readonly [string, string][] = [
    ["a\n 'b", "The text that begins here has no ' at its end (line 2, column 2)"],
    ["'b\\'", "The text that begins here has no ' at its end (line 1, column 1)"],
    ["'b''", "The text that begins here has no ' at its end (line 1, column 1)"],
    ['"b', 'The text that begins here has no " at its end (line 1, column 1)'],
    ['a `b', 'The name that begins here has no ` at its end (line 1, column 3)'],
    ['a /* b', 'The comment that begins here has no */ at its end (line 1, column 3)'],
    ['/*/', 'The comment that begins here has no */ at its end (line 1, column 1)'],
  ];
  it.each(refusals)('refuses %j', (sql, message) => expect(() => sqlTokens(sql)).toThrow(message));
});
