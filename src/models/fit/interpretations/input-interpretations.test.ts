import { expect, it } from 'vitest';
import { float32 } from '../../../../tests/fixed-session.ts';
import { readBoxRows } from './box-rows.ts';
import { listInputs, strengthOf } from './input-interpretations.ts';

const present = { bgr: false, meanValue: [0.5, 0.5, 0.5], stdDev: [0.5, 0.5, 0.5], fit: 'stretch' as const };

it('tries each range in both orders of colours, the present one once and first', () => {
  const listed = listInputs(present, 'float32');
  expect(listed).toHaveLength(11);
  expect(listed.map(({ why }) => why).slice(0, 4)).toEqual([
    'the input as configured',
    'frames keep their shape, with a margin',
    'colours are BGR, values from −1 to 1',
    'colours are RGB, values from 0 to 1',
  ]);
  expect(listed.find(({ why }) => why === 'colours are BGR, ImageNet mean and deviation')!.input.meanValue).toEqual([
    0.406, 0.456, 0.485,
  ]);
  expect(listInputs({ ...present, meanValue: [0.1, 0.2, 0.3] }, 'float32')).toHaveLength(12);
});

it('tries only the order of colours of bytes', () => {
  expect(listInputs(present, 'uint8').map(({ input, why }) => [input.bgr, why])).toEqual([
    [false, 'the input as configured'],
    [false, 'frames keep their shape, with a margin'],
    [true, 'colours are BGR'],
  ]);
});

it('is stronger for surer boxes, and no stronger for boxes of one thing', () => {
  const rows = (scores: readonly number[], step: number) =>
    readBoxRows(
      new Map([
        [
          'b',
          float32(
            [1, scores.length, 4],
            scores.flatMap((_, row) => [step * row, 0, step * row + 0.1, 0.5]),
          ),
        ],
        ['s', float32([1, scores.length], scores)],
      ]),
      {
        kind: 'detections',
        location: 'b',
        category: null,
        score: 's',
        boxOrder: [0, 1, 2, 3],
        boxForm: 'two corners',
        space: 'machine',
        activation: 'none',
        classBase: 0,
      },
      { inputWidthPx: 10, inputHeightPx: 10 },
    )!;
  expect(strengthOf(rows([0.9, 0.8], 0.2))).toBeCloseTo(0.34);
  expect(strengthOf(rows([0.9, 0.8], 0.001))).toBeCloseTo(0.18);
  expect(strengthOf(rows([0.01], 0.2))).toBe(0);
});
