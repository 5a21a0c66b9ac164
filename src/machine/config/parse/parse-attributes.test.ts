import { describe, expect, it } from 'vitest';
import { joinAttributeErrors, parseAttributes } from './parse-attributes.ts';

const fields = {
  n: 'int',
  u: 'uint',
  f: 'float64',
  s: 'string',
  b: 'bool',
  list: '[]string',
  map: 'map[string]float64',
} as const;
const zero = { n: 0, u: 0, f: 0, s: '', b: false, list: [], map: {} };

describe('parseAttributes', () => {
  it.each([
    ['nothing', undefined, {}],
    ['null', null, {}],
    ['null values', { n: null, s: null, list: null, map: null }, {}],
    ['an int cut toward zero', { n: 2.9 }, { n: 2 }],
    ['a negative int cut toward zero', { n: -2.9 }, { n: -2 }],
    ['an int beyond 64 bits, which becomes the lowest', { n: 2 ** 63 }, { n: -(2 ** 63) }],
    ['the largest int that a number holds', { n: 2 ** 63 - 1024 }, { n: 2 ** 63 - 1024 }],
    ['an unsigned of which 32 bits are kept', { u: 2 ** 32 + 2.5 }, { u: 2 }],
    ['an int for a float', { f: 3 }, { f: 3 }],
    ['another case', { N: 4, LIST: ['a'] }, { n: 4, list: ['a'] }],
    ['a long s and a Kelvin sign, which fold to ASCII letters', { 'LI\u017fT': ['a'] }, { list: ['a'] }],
    ['the exact key before another case', { N: 4, n: 5 }, { n: 5 }],
    ['the exact key even when null', { N: 4, n: null }, { n: 0 }],
    ['unknown keys', { x: 1, nn: 2, ß: 'x', '\uff53': 'x', 'l\u0130st': ['a'] }, {}],
    ['null inside a list or map', { list: [null, 'a'], map: { a: null } }, { list: ['', 'a'], map: { a: 0 } }],
  ])('takes %s', (_, raw, expected) => {
    const { value, errors } = parseAttributes(raw, fields);
    expect(value).toEqual({ ...zero, ...expected });
    expect(errors).toEqual([]);
  });

  it.each([
    ['text for a number', { n: '5' }, "'n' expected type 'int', got unconvertible type 'string'"],
    ['a number for text', { s: 5 }, "'s' expected type 'string', got unconvertible type 'float64'"],
    ['a number for a switch', { b: 1 }, "'b' expected type 'bool', got unconvertible type 'float64'"],
    ['text for a list', { list: 'a' }, "'list' expected type '[]string', got unconvertible type 'string'"],
    [
      'a list for a map',
      { map: [1] },
      "'map' expected type 'map[string]float64', got unconvertible type '[]interface {}'",
    ],
    ['text inside a map', { map: { dog: 'x' } }, "'map.dog' expected type 'float64', got unconvertible type 'string'"],
    ['a negative unsigned', { u: -1 }, "cannot parse 'u', -1 overflows uint"],
    ['a text for the whole', 'x', 'expected a map of attributes, got string'],
  ])('refuses %s', (_, raw, message) => {
    const { value, errors } = parseAttributes(raw, fields);
    expect(joinAttributeErrors(errors)).toContain(message);
    expect(value.n).toBe(0);
  });

  it('decodes the other fields and joins the errors of all', () => {
    const { value, errors } = parseAttributes({ n: 'x', b: 'y', f: 1.5 }, fields);
    expect(value.f).toBe(1.5);
    expect(errors).toHaveLength(2);
    expect(joinAttributeErrors(errors)).toMatch(/'n' .*; 'b' /);
  });
});
