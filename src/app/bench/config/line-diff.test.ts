import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines, foldSame, textChanges, type TextChange } from './line-diff.ts';

const shown = (before: string, after: string): string =>
  diffLines(before, after)
    .map(({ kind, text }) => ({ same: ' ', added: '+', removed: '-' })[kind] + text)
    .join('|');

const apply = (text: string, changes: readonly TextChange[]): string =>
  changes
    .toReversed()
    .reduce((result, { from, to, insert }) => result.slice(0, from) + insert + result.slice(to), text);

describe('diffLines', () => {
  it.each([
    ['a\nb\nc', 'a\nx\nc', ' a|-b|+x| c'],
    ['a\nb', 'a\nb\nc', ' a| b|+c'],
    ['a\nb\nc\nd', 'b\nd\ne', '-a| b|-c| d|+e'],
    ['same', 'same', ' same'],
  ])('%j → %j', (before, after, expected) => {
    expect(shown(before, after)).toBe(expected);
  });
});

describe('foldSame', () => {
  it.each([
    ['a\nb\nc\nd\ne\nf', 'a\nb\nX\nd\ne\nf', '1 b -c +X d 2'],
    ['a\nb', 'a\nb', '2'],
    ['a\nb\nc', 'a\nb\nc\nd', '2 c +d'],
  ])('%j → %j', (before, after, expected) => {
    const folded = foldSame(diffLines(before, after), 1).map((line) => {
      if (line.kind === 'folded') return line.count;
      return { same: '', added: '+', removed: '-' }[line.kind] + line.text;
    });
    expect(folded.join(' ')).toBe(expected);
  });
});

describe('textChanges', () => {
  it('changes only the characters that differ, in each place', () => {
    const before = '{\n  "a": 0.5,\n  "b": 1,\n  "c": 2\n}\n';
    const after = '{\n  "a": 0.55,\n  "b": 1,\n  "c": 3\n}\n';
    expect(textChanges(before, after)).toEqual([
      { from: 12, to: 12, insert: '5' },
      { from: 31, to: 32, insert: '3' },
    ]);
  });

  it('comes to the new text, whatever both are', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '\n'), { maxLength: 14 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(apply(before, textChanges(before, after))).toBe(after);
      }),
      { seed: 11, numRuns: 500 },
    );
  });
});
