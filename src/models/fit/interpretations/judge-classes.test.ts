import { expect, it } from 'vitest';
import { float32 } from '../../../../tests/fixed-session.ts';
import { judgeClasses } from './judge-classes.ts';

const logits = Array.from({ length: 10 }, (_, i) => (i === 3 ? 6 : -i / 4));
const unit = Array.from({ length: 64 }, (_, i) => (i % 2 === 0 ? 1 : -1) / 8);

it.each([
  ['probabilities', float32([1, 3], [0.1, 0.7, 0.2])],
  ['probabilities with sides of 1', float32([1, 3, 1, 1], [0.1, 0.7, 0.2])],
  ['logits', float32([1, 10], logits)],
  ['one number', float32([1, 1], [0.7])],
])('finds %s plausible', (_, tensor) => {
  expect(judgeClasses('out', tensor)).toEqual({ kind: 'plausible', seen: [], notes: [] });
});

it.each([
  ['a raw head', float32([1, 3549, 85], Array(3549 * 85).fill(0.5)), '“out” 1×3549×85 is a table of 301,665 numbers'],
  ['boxes', float32([1, 10, 4], Array(40).fill(0.5)), 'holds boxes'],
  ['boxes in columns', float32([1, 4, 10], Array(40).fill(0.5)), 'holds boxes'],
  ['a feature map', float32([1, 8, 2, 2], Array(32).fill(0.5)), 'is a table of 32 numbers'],
  ['too many classes', float32([1, 301665], [0.9, ...Array(301664).fill(0)]), 'would be 301,665 classes'],
  ['an embedding', float32([1, 64], unit), 'is an embedding'],
  ['one value throughout', float32([1, 64], Array(64).fill(2)), 'All 64 values of “out” 1×64 are 2'],
  ['logits that overflow', float32([1, 2], [800, 1]), 'NaN'],
])('refuses %s', (_, tensor, words) => {
  expect(judgeClasses('out', tensor)).toMatchObject({ kind: 'refused', seen: [expect.stringContaining(words)] });
});

it.each([
  [
    'classes that all stay low',
    float32(
      [1, 100],
      Array.from({ length: 100 }, (_, i) => 0.01 + i * 1e-5),
    ),
    'No class passes 0.05',
  ],
  ['four numbers that may be a box', float32([1, 4], [12, 30, 200, 180]), 'one box, perhaps'],
])('is not sure about %s', (_, tensor, words) => {
  expect(judgeClasses('out', tensor)).toMatchObject({ kind: 'unsure', seen: [expect.stringContaining(words)] });
});

it('says what bytes of a softmax meant, of which the machine makes 1.00', () => {
  const bytes = (...data: number[]) => ({
    dtype: 'uint8' as const,
    shape: [1, data.length],
    data: Uint8Array.from(data),
  });
  expect(judgeClasses('out', bytes(197, 40, 19))).toEqual({
    kind: 'plausible',
    seen: [],
    notes: [expect.stringMatching(/They add up to 256, .* the best meant about 0\.77\. The machine .* shows 1\.00/)],
  });
  for (const other of [bytes(197, 180, 170), bytes(12, 4, 0), bytes(1, 0)])
    expect(judgeClasses('out', other).notes).toEqual([]);
});
