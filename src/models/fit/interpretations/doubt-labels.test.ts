import { expect, it } from 'vitest';
import { doubtLabels } from './doubt-labels.ts';

const unknown = { classCount: null, own: null, former: null, highest: null };
const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `thing ${at}`);
const lines = (count: number): string => names(count).join('\n');

it.each([
  [
    '1 name for 80 classes of a classifier',
    'x',
    { ...unknown, classCount: 80, former: names(80) },
    '1 name for 80 classes. The previous list has 80.',
  ],
  [
    '1 name where the former list has 80',
    'x',
    { ...unknown, former: names(80), highest: 79 },
    '1 name. The previous list has 80.',
  ],
  [
    '2 names for the 80 of the model file',
    'x\ny',
    { ...unknown, own: names(80) },
    '2 names, and the model file itself has 80.',
  ],
  [
    '80 names for the 90 of a detection operator',
    lines(80),
    { ...unknown, detectionCount: 90 },
    '80 names for 90 classes.',
  ],
  [
    'one name less than a detection operator counts',
    lines(89),
    { ...unknown, detectionCount: 90 },
    '89 names for 90 classes.',
  ],
  ['too many names', lines(91), { ...unknown, former: names(80), highest: 60 }, '91 names. The previous list has 80.'],
  ['a name for none of the classes that came', 'x', { ...unknown, highest: 79 }, '1 name, and class 79 came.'],
  [
    'one name less than the former list',
    'cat',
    { ...unknown, former: ['cat', 'dog'] },
    '1 name. The previous list has 2.',
  ],
  ['bytes that are no text', '\uFFFD\uFFFD', { ...unknown, former: names(1) }, '“\uFFFD\uFFFD” is not UTF-8 text.'],
  ['control characters', 'a\u0007\nb', unknown, '“a\u0007” is not UTF-8 text.'],
  [
    'a byte order mark',
    '\uFEFFcat\ndog',
    unknown,
    'The file begins with a byte order mark, which the machine reads as part of the first name.',
  ],
  ['an empty line', 'cat\n\ndog\n', unknown, '1 empty line: the machine leaves it out, and the names behind move up.'],
  [
    'empty lines that the count counted',
    'cat\n \n\ncow',
    { ...unknown, classCount: 4 },
    '2 names for 4 classes. 2 empty lines: the machine leaves them out, and the names behind move up.',
  ],
  [
    'one line that is split at blanks',
    'traffic light',
    unknown,
    'The file has one line, which the machine splits at blanks: “traffic”, “light”.',
  ],
  [
    'one line that is split at commas, though the count fits',
    'cat, dog',
    { ...unknown, own: ['cat', 'dog'] },
    'The file has one line, which the machine splits at commas: “cat”, “ dog”.',
  ],
  [
    'one line with as many words as the former list has names',
    'traffic light',
    { ...unknown, former: ['cat', 'dog'] },
    'The file has one line, which the machine splits at blanks: “traffic”, “light”.',
  ],
  [
    'many names on a line',
    'a b c d e f g',
    unknown,
    'The file has one line, which the machine splits at blanks: “a”, “b”, “c”, “d”, “e”, “f” ….',
  ],
  [
    'a line that ends the list',
    `a\n${'x'.repeat(70_000)}\nb`,
    unknown,
    'Line 2 has 64 KiB or more: the machine ends the list before it.',
  ],
])('doubts %s', (_, text, known, words) => {
  expect(doubtLabels(text, known)).toBe(words);
});

it.each([
  ['as many names as classes', lines(80), { ...unknown, classCount: 80 }],
  ['names of which nothing is known', lines(3), unknown],
  ['other names than the former ones', lines(80), { ...unknown, former: names(80), highest: 3 }],
  ['more names than a former list that was too short', lines(80), { ...unknown, former: ['x'], highest: 79 }],
  ['one line as long as the model has classes', 'cat,dog', { ...unknown, classCount: 2 }],
  ['an empty line, where the count fits without it', 'cat\n\ndog', { ...unknown, classCount: 2 }],
  ['a last line that is empty', 'cat\ndog\n\n', unknown],
  ['Windows line ends', 'cat\r\ndog\r\n', unknown],
  ['a list without the background, which is put before it', lines(90), { ...unknown, classCount: 91 }],
  [
    'a list with a background that a detection operator does not count',
    `???\n${lines(90)}`,
    { ...unknown, detectionCount: 90 },
  ],
  [
    'as many names as the file has, whatever its detection operator counts',
    lines(3),
    { ...unknown, own: names(3), detectionCount: 90 },
  ],
  ['one class more than names: it may count from 1', 'cat\ndog', { ...unknown, highest: 2 }],
])('takes %s', (_, text, known) => {
  expect(doubtLabels(text, known)).toBe('');
});
