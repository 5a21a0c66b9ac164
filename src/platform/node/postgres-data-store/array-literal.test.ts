import { expect, it } from 'vitest';
import { arrayLiteral } from './array-literal.ts';

it.each([
  [[], '{}'],
  [[1, -0.5, 1e21, Infinity, -Infinity, null], '{1,-0.5,1e+21,Infinity,-Infinity,NULL}'],
  [['', 'NULL', 'a,b}', '{"n":"\\n"}', 'ünï😀'], String.raw`{"","NULL","a,b}","{\"n\":\"\\n\"}","ünï😀"}`],
  [['two\nlines', 'a\t"tab"\\'], '{"two\nlines","a\t\\"tab\\"\\\\"}'],
  [[Uint8Array.of(0, 255), new Uint8Array()], String.raw`{"\\x00ff","\\x"}`],
])('writes %o as PostgreSQL reads it', (elements, literal) => {
  expect(arrayLiteral(elements)).toBe(literal);
});
