import { expect, it } from 'vitest';
import { labelsOfClasses, labelsOfRows, rowsFrom, surestRows } from './surest-rows.ts';

const score = Float64Array.of(0.1, NaN, 0.4, 0.05, 0.4, 0.04);
const all = Uint32Array.of(0, 1, 2, 3, 4, 5);

it('takes rows from a floor up', () => {
  expect([...rowsFrom(0.05, all, score)]).toEqual([0, 2, 3, 4]);
});

it.each([
  [3, [2, 4, 0]],
  [0, []],
  [-1, []],
  [9, [2, 4, 0, 3]],
])('takes the %d surest', (most, rows) => {
  expect(surestRows(most, rowsFrom(0.05, all, score), score)).toEqual(rows);
});

it('finds the highest score of each label, in any case', () => {
  const labelIndex = Uint32Array.of(0, 0, 1, 2, 0, 0);
  const found = labelsOfRows({ labels: ['Cat', 'dog', 'CAT'], labelIndex, score }, [0, 2, 3]);
  expect([...found]).toEqual([['cat', 0.1], ['dog', 0.4]]); // prettier-ignore
  expect([...labelsOfClasses([{ label: 'Crane', score: 0.2 }, { label: 'crane', score: 0.7 }])]).toEqual([['crane', 0.7]]); // prettier-ignore
});
