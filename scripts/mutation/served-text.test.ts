import { expect, it } from 'vitest';
import { mutantsOf } from './mutants-of.ts';
import { countedText, markedText } from './served-text.ts';

it('says which sites of a file run, and changes nothing else', () => {
  const text = 'if (!far) { near(); last(); } else { never(1); }';
  const mutants = mutantsOf('a.ts', text);
  const marked = markedText(text, new Map(mutants.entries()));
  const called: string[] = [];
  const reached = new Uint8Array(mutants.length);
  const names = ['__reached', 'far', 'near', 'last', 'never'];
  const values = [reached, false, () => called.push('near'), () => called.push('last'), () => called.push('never')];
  new Function(...names, marked)(...values);
  expect(called).toEqual(['near', 'last']);
  const changes = [...reached.keys()].filter((i) => reached[i] === 1).map((i) => mutants[i]!.edit.text);
  expect(changes).toEqual(['true', 'false', 'far', 'undefined', 'undefined']);
});

it('counts the turns of loops beside a change', () => {
  const text = 'for (; a < b; ) c(); while (a) c(); do c(); while (a && b); for (;;) { c(); }';
  const change = { start: text.indexOf('c()'), end: text.indexOf('c()') + 3, text: 'undefined' };
  expect(countedText('a.ts', text, change)).toBe(
    'for (; __turn(), a < b; ) undefined; while (__turn(), a) c(); do c(); while (__turn(), a && b); for (;;) {__turn(); c(); }',
  );
});

it('counts the turns of a loop whose condition is changed, and drops a loop that is gone', () => {
  const text = 'while (a) b();';
  const at = (start: number, end: number, to: string) => countedText('a.ts', text, { start, end, text: to });
  expect(at(7, 8, 'true')).toBe('while (__turn(), true) b();');
  expect(at(0, text.length, '')).toBe('');
});
