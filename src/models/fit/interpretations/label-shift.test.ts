import { expect, it } from 'vitest';
import { labelShift } from './label-shift.ts';

const animals = ['cat', 'dog'];
const none = { classCount: null, isOneBeyond: false, seen: [] };

it.each([
  [
    'a line in front of the model’s own names',
    { ...none, labels: ['background', 'cat', 'dog', 'cow'], own: ['cat', 'dog', 'cow'] },
    ['cat', 'dog', 'cow'],
    /names with “cat”/,
  ],
  [
    'the first of the model’s own names missing',
    { ...none, labels: ['dog', 'cow'], own: ['cat', 'dog', 'cow'] },
    ['cat', 'dog', 'cow'],
    /begins with “dog”/,
  ],
  [
    'the first of a well-known list missing',
    { ...none, labels: ['bicycle', 'car'] },
    ['person', 'bicycle', 'car'],
    /second name of COCO/,
  ],
  [
    'a class more than labels',
    { ...none, labels: animals, classCount: 3 },
    ['background', ...animals],
    /3 classes and the list 2/,
  ],
  [
    'a class less, and a first line for nothing',
    { ...none, labels: ['???', ...animals], classCount: 2 },
    animals,
    /begins with “\?\?\?”/,
  ],
  [
    'a class beyond the list',
    { ...none, labels: animals, isOneBeyond: true },
    ['background', ...animals],
    /counts its classes from 1/,
  ],
  [
    'boxes of the first line for nothing',
    { ...none, labels: ['???', ...animals], seen: ['???', 'cat'] },
    animals,
    /counts from 0/,
  ],
])('shifts the list for %s', (_, evidence, labels, words) => {
  expect(labelShift(evidence)).toMatchObject({ labels, words: expect.stringMatching(words) });
});

it.each([
  ['as many classes as labels', { ...none, labels: animals, classCount: 2 }],
  ['a background line that boxes do not have', { ...none, labels: ['background', ...animals], seen: ['cat'] }],
  ['far more classes', { ...none, labels: animals, classCount: 9 }],
  ['a class less, but a first line for a thing', { ...none, labels: animals, classCount: 1 }],
  ['a class beyond a list that has the line already', { ...none, labels: ['???', ...animals], isOneBeyond: true }],
  [
    'a line more than the model’s own names, but as many as it has classes',
    { ...none, labels: ['background', ...animals], own: animals, classCount: 3 },
  ],
  ['no list', { ...none, labels: [], classCount: 1, isOneBeyond: true }],
])('leaves the list for %s', (_, evidence) => {
  expect(labelShift(evidence)).toBeNull();
});
