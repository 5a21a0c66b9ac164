import { expect, it } from 'vitest';
import { copyTexts, type CopiedValue } from './copied-rows.ts';

it.each<[readonly CopiedValue[], string]>([
  [[1, -0.5, 1e21, Infinity, -Infinity], '1\t-0.5\t1e+21\tInfinity\t-Infinity\n'],
  [['', null, 'NULL', ''], '\t\\N\tNULL\t\n'],
  [['\\N', '\\.', '{"n":"\\n"}', 'ünï😀'], '\\\\N\t\\\\.\t{"n":"\\\\n"}\tünï😀\n'],
  [['two\nlines', 'a\ttab', 'and\r\n'], 'two\\nlines\ta\\ttab\tand\\r\\n\n'],
  [[Uint8Array.of(0, 255), new Uint8Array()], '\\\\x00ff\t\\\\x\n'],
])('writes %j as a line that COPY reads', (values, line) => {
  expect([...copyTexts([values])]).toEqual([line]);
});

it('writes a text for some rows each, none for none', () => {
  const rows = Array.from({ length: 3000 }, (_, n) => [n, 'x'.repeat(100)]);
  const texts = [...copyTexts(rows)];
  expect(texts.length).toBeGreaterThan(5);
  expect(texts.join('')).toBe(rows.map(([n, text]) => `${n}\t${text}\n`).join(''));
  expect([...copyTexts([])]).toEqual([]);
});
