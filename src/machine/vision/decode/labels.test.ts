import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlaceholder, labelFileText, labelTable, parseLabels } from './labels.ts';

describe('parseLabels', () => {
  it.each([
    ['one a line', 'cat\ndog\n', ['cat', 'dog']],
    ['no newline at the end', 'cat\ndog', ['cat', 'dog']],
    ['blank lines are skipped', 'cat\n\n \t\n\u00a0\ndog\n', ['cat', 'dog']],
    ['kept lines are not trimmed', ' cat \n\tdog', [' cat ', '\tdog']],
    ['one CR is dropped at the end of a line', 'cat\r\ndog\r\r\n', ['cat', 'dog\r']],
    ['a CR alone ends no line', 'cat\rdog\nbird', ['cat\rdog', 'bird']],
    ['a byte order mark is text, and not blank', '\ufeff\ncat', ['\ufeff', 'cat']],
    ['one line splits on commas, pieces not trimmed', 'cat, dog,bird\n', ['cat', ' dog', 'bird']],
    ['a comma beats spaces', 'cat dog,bird', ['cat dog', 'bird']],
    ['else on single spaces', 'cat dog  bird', ['cat', 'dog', '', 'bird']],
    ['a tab splits nothing', 'cat\tdog', ['cat\tdog']],
    ['one line with one label', '\nface\n', ['face']],
    ['several lines are never split', 'a,b\nc d', ['a,b', 'c d']],
    ['nothing', ' \n', []],
    ['a line just below 64 KiB', `${'x'.repeat(65_535)}\na`, ['x'.repeat(65_535), 'a']],
    ['a line of 64 KiB ends the list', `a\nb\n${'x'.repeat(65_536)}\nc\n`, ['a', 'b']],
    ['what stands before it is still split', `a,b\n${'x'.repeat(65_536)}`, ['a', 'b']],
    ['its CR counts', `a\nb\n${'x'.repeat(65_535)}\r\nc`, ['a', 'b']],
    ['bytes count, not letters', `${'é'.repeat(32_767)}\na\n${'é'.repeat(32_768)}\nb`, ['é'.repeat(32_767), 'a']],
    ['a first line that long leaves index numbers', `${'x'.repeat(65_536)}\na\nb`, []],
    ['a blank one too', `${' '.repeat(65_536)}\na`, []],
    ['three bytes a letter', `${'€'.repeat(21_845)}\na\n${'€'.repeat(21_846)}\nb`, ['€'.repeat(21_845), 'a']],
    ['four bytes a letter', `${'🐕'.repeat(16_383)}\na\n${'🐕'.repeat(16_384)}\nb`, ['🐕'.repeat(16_383), 'a']],
    [
      'one byte and two mixed',
      `${'é'.repeat(32_767)}x\na\n${'é'.repeat(32_767)}xx\nb`,
      [`${'é'.repeat(32_767)}x`, 'a'],
    ],
    ['and a list in one line', `face,${'x'.repeat(65_536)}`, []],
  ])('%s', (_, text, labels) => {
    expect(parseLabels(text)).toEqual(labels);
  });
});

describe('labelFileText', () => {
  it.each([
    ['one a line', ['cat', 'dog'], ['cat', 'dog']],
    ['spaces and commas stay', ['hard hat', 'a, b', ' c '], ['hard hat', 'a, b', ' c ']],
    ['a class without a name has its number', ['cat', '', ' ', '\u0085', 'dog'], ['cat', '1', '2', '3', 'dog']],
    ['a single label is not split', ['hard hat, red'], ['hard_hat_red']],
    ['a line break does not make two of one', ['a\r\nb', 'c\n', '\n'], ['a b', 'c', '2']],
    ['none', [], []],
  ])('is read back: %s', (_, labels, read) => {
    expect(parseLabels(labelFileText(labels))).toEqual(read);
  });

  it('is read back as the same labels, whatever they are written in', () => {
    const label = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => /^[^\r\n]*[^\s\u0085][^\r\n]*$/.test(text));
    fc.assert(
      fc.property(fc.array(label, { minLength: 2 }), (labels) => {
        expect(parseLabels(labelFileText(labels))).toEqual(labels);
      }),
      { seed: 20261130 },
    );
  });

  it('ends each line', () => {
    expect(labelFileText(['cat', 'dog'])).toBe('cat\ndog\n');
  });
});

it.each([
  ['???', true],
  [' Background ', true],
  ['__background__', true],
  ['unlabeled', true],
  ['background noise', false],
  ['what?', false],
  ['', false],
])('takes %j for a placeholder: %s', (label, is) => {
  expect(isPlaceholder(label)).toBe(is);
});

describe('labelTable', () => {
  it('indexes a list directly and shares it', () => {
    const list = ['cat', 'dog'];
    const { labels, labelIndex } = labelTable(list).place(Float64Array.of(1, 0, 1));
    expect(labels).toBe(list);
    expect([...labelIndex]).toEqual([1, 0, 1]);
  });

  it.each([null, []])('stands numbers for themselves without a list (%j)', (list) => {
    const table = labelTable(list);
    expect(table.size).toBeNull();
    const { labels, labelIndex } = table.place(Float64Array.of(2, 0));
    expect(Array.from(labelIndex, (index) => labels[index])).toEqual(['2', '0']);
  });

  it('keeps the number texts while they suffice, so that thresholds are worked out once', () => {
    const table = labelTable(null);
    const first = table.place(Float64Array.of(7)).labels;
    expect(table.place(Float64Array.of(3)).labels).toBe(first);
    expect(table.place(Float64Array.of(8)).labels).toHaveLength(9);
  });

  it('lists all numbers up to 4095, and only what occurs above', () => {
    expect(labelTable(null).place(Float64Array.of(4095)).labels).toHaveLength(4096);
    expect(labelTable(null).place(Float64Array.of(4096)).labels).toEqual(['4096']);
    expect(labelTable(null).place(new Float64Array()).labels).toEqual([]);
  });

  it('lists only what occurs when a number is huge', () => {
    const { labels, labelIndex } = labelTable(null).place(Float64Array.of(3_000_000, 1, 3_000_000));
    expect(labels).toEqual(['3000000', '1']);
    expect([...labelIndex]).toEqual([0, 1, 0]);
  });
});
