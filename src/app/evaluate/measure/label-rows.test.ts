import { expect, it } from 'vitest';
import { countTruth, labelRows } from './label-rows.ts';

const image = (...labels: readonly string[]) => ({ boxes: labels.map((label) => ({ label })) });

it('has the truth of the whole set in one order from the first image on, and what only the model names behind it', () => {
  const set = [image('hat', 'Cat'), image('dog', 'dog', 'dog', 'cat')];
  const whole = countTruth(set);
  const textOf = (labels: readonly string[]) =>
    labelRows(labels, (number) => labels[number] !== 'unseen', whole).map(({ name, number }) => `${name} ${number}`);
  expect(textOf([])).toEqual(['dog null', 'Cat null', 'hat null']);
  expect(textOf(['cat', 'cow', 'unseen', 'hat'])).toEqual(['dog null', 'cat 0', 'hat 3', 'cow 1']);
  expect(textOf(['cat', 'cow', 'unseen', 'hat', 'dog', 'bee'])).toEqual(['dog 4', 'cat 0', 'hat 3', 'cow 1', 'bee 5']);
});

it('counts neither crowds nor what is ignored, and has a row for them', () => {
  const crowd = { boxes: [{ label: 'herd', isCrowd: true }, { label: 'cat', isIgnored: true }, { label: 'CAT' }] };
  expect([...countTruth([crowd])]).toEqual([
    ['herd', { name: 'herd', count: 0 }],
    ['cat', { name: 'cat', count: 1 }],
  ]);
});
