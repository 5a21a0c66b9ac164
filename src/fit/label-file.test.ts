import { expect, it } from 'vitest';
import { parseLabels } from '../vision/decode/labels.ts';
import { labelFileText } from './label-file.ts';

it.each([
  ['one a line', ['cat', 'dog'], ['cat', 'dog']],
  ['spaces and commas stay', ['hard hat', 'a, b'], ['hard hat', 'a, b']],
  ['a class without a name has its number', ['cat', '', ' ', 'dog'], ['cat', '1', '2', 'dog']],
  ['a single label is not split', ['hard hat, red'], ['hard_hat_red']],
  ['a line break does not make two of one', ['a\r\nb', 'c'], ['a b', 'c']],
])('%s', (_, labels, read) => {
  expect(parseLabels(labelFileText(labels))).toEqual(read);
});
