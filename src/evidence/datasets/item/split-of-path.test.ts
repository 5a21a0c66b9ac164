import { expect, it } from 'vitest';
import { splitOfPath, splitOfWord } from './split-of-path.ts';

it.each([
  ['valid/_annotations.coco.json', 'val'],
  ['instances_train2017.json', 'train'],
  ['data/Validation/a', 'val'],
  ['TESTING', 'test'],
  ['training/label_2', 'train'],
  ['train/test', 'test'],
  ['trainval', null],
  ['constructor/latest', null],
  ['', null],
])('the path %j names the split %j', (path, split) => {
  expect(splitOfPath(path)).toBe(split);
});

it.each<[unknown, string | null]>([
  ['VAL', 'val'],
  ['valid', 'val'],
  ['tests', null],
  ['constructor', null],
  ['', null],
  [7, null],
  [undefined, null],
])('the word %j is the split %j', (word, split) => {
  expect(splitOfWord(word)).toBe(split);
});
