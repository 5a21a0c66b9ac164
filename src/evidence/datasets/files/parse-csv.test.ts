import { expect, it } from 'vitest';
import { parseCsv } from './parse-csv.ts';

it.each([
  ['nothing', '', []],
  ['blank lines between rows', 'a,b\n\n\r\nc,d', [['a', 'b'], ['c', 'd']]],
  ['line ends of every kind, the last row without one', 'a\r\nb\rc\nd', [['a'], ['b'], ['c'], ['d']]],
  ['empty fields, at the end too', ',a,\n,\n', [['', 'a', ''], ['', '']]],
  ['separators and line ends in quotes', '"a,b","c\nd"\ne', [['a,b', 'c\nd'], ['e']]],
  ['doubled quotes', '"say ""hi""",b', [['say "hi"', 'b']]],
  ['a quote inside a field, which opens nothing', 'a"b,c', [['a"b', 'c']]],
  ['a quoted field with nothing in it', 'a,""\n', [['a', '']]],
  ['a quote that is never closed', 'a,"b\nc', [['a', 'b\nc']]],
  ['a byte order mark', '\ufeffa,b', [['a', 'b']]],
  ['semicolons', 'a;b\n1,5;2', [['a', 'b'], ['1,5', '2']]],
  ['tabs', 'a\tb,c\td\n1\t2\t3', [['a', 'b,c', 'd'], ['1', '2', '3']]],
  ['as many commas as semicolons, which are commas', 'a;b,c', [['a;b', 'c']]],
  ['separators of the first line only', 'a,b\n;;;,1', [['a', 'b'], [';;;', '1']]],
])('reads %s', (_, text, rows) => {
  expect(parseCsv(text)).toEqual(rows);
}); // prettier-ignore
