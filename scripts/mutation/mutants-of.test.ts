import { expect, it } from 'vitest';
import { editText } from './edit-text.ts';
import { mutantsOf } from './mutants-of.ts';

const changesOf = (text: string): string[] => mutantsOf('a.ts', text).map(({ edit }) => editText(text, [edit]));

it.each<[rule: string, text: string, changes: string[]]>([
  ['the end of a range', 'let f = a < b;', ['let f = a <= b;', 'let f = a >= b;']],
  ['an operator', 'let f = a ** b & c;', ['let f = a ** b | c;']],
  ['sums, not texts that are joined', "let f = (a + b) + '';", ["let f = (a - b) + '';", "let f = (a + b) + 'other';"]],
  ['what is done', 'a.b += c;', ['undefined;', 'a.b -= c;']],
  ['a default', 'let f = a ?? b;', ['let f = a && b;']],
  ['a sign and a not', 'let f = -a || !b;', ['let f = -a && !b;', 'let f = a || !b;', 'let f = -a || b;']],
  ['a step', 'for (; ; i++) break;', ['for (; ; i--) break;']],
  ['both ways of an if', 'if (a) throw b;', ['if (true) throw b;', 'if (false) throw b;']],
  [
    'what is done else',
    'if (a) throw b; else { throw c; }',
    ['if (true) throw b; else { throw c; }', 'if (false) throw b; else { throw c; }', 'if (a) throw b; else {}'],
  ],
  ['a loop, which true would make endless', 'while (a) break;', ['while (false) break;']],
  ['a choice', 'let f = a ? b : c;', ['let f = true ? b : c;', 'let f = false ? b : c;']],
  ['a list and its numbers', 'let f = [0, 5n];', ['let f = [];', 'let f = [(0 + 1), 5n];', 'let f = [0, (5n + 1n)];']],
  [
    'booleans',
    'let f = { a: true, b: !1 };',
    ['let f = { a: false, b: !1 };', 'let f = { a: true, b: 1 };', 'let f = { a: true, b: !(1 + 1) };'],
  ],
  ['texts that code reads', "let f = '', g = `${a}/b`;", ["let f = 'other', g = `${a}/b`;", "let f = '', g = '';"]],
  ['a neighbouring method', 'let f = Math.min(a).some;', ['let f = Math.max(a).some;']],
  ['what a function gives', 'let f = (a) => a.b;', ['let f = (a) => undefined;']],
  ['what it returns', 'let f = () => { return a; };', ['let f = () => { return undefined; };']],
  ['a body', 'let f = () => { let a; throw b; };', ['let f = () => {};']],
])('changes %s', (_, text, changes) => {
  expect(changesOf(text)).toEqual(changes);
});

it.each([
  ['types', "interface A { b: 'c' | 1; d: true } type E = 'f'; const g = a as 'h'; declare const i: 1;"],
  ['names of modules', "import a from 'b'; export * from 'c'; const d = import('e');"],
  ['messages', 'const a = `Got ${b} of them.`; throw new Error("No such thing.");'],
  ['names of properties', "const { 'a-b': c } = { 'a-b': d, 1: e };"],
  ['what no value gets to', 'const f = () => { switch (a) { default: return assertNever(a); } };'],
  ['where values are put', 'let f = ([a, b] = c);'],
  ['nothing that is given', 'const f = () => ({}); const g = () => { return {}; };'],
  ['directives', "'use strict';"],
  ['texts with a tag', 'const a = html`b`;'],
])('leaves %s alone', (_, text) => {
  expect(changesOf(text)).toEqual([]);
});

it('says where a change is, what was there, and which expression runs with it', () => {
  const text = 'const a = 1;\nconst b = a <\n  c;\n';
  const [, mutant] = mutantsOf('a.ts', text);
  expect(mutant).toMatchObject({ path: 'a.ts', line: 2, was: '<', edit: { text: '<=' } });
  expect(text.slice(mutant!.site.start, mutant!.site.end)).toBe('a <\n  c');
});
