import { describe, expect, it } from 'vitest';
import { float32 } from '../../../../tests/fixed-session.ts';
import { readBoxRows } from './box-rows.ts';
import type { DetectionInterpretation } from './interpretation.ts';

const interpretation: DetectionInterpretation = {
  kind: 'detections',
  location: 'b',
  category: null,
  score: 's',
  boxOrder: [0, 1, 2, 3],
  boxForm: 'two corners',
  space: 'machine',
  activation: 'none',
  classBase: 0,
};
const sizes = { inputWidthPx: 101, inputHeightPx: 51 };

describe('readBoxRows', () => {
  it.each([
    ['two corners', [0, 1, 2, 3], [0.1, 0.2, 0.5, 0.9]],
    ['centre and size', [0, 1, 2, 3], [0.3, 0.55, 0.4, 0.7]],
    ['corner and size', [0, 1, 2, 3], [0.1, 0.2, 0.4, 0.7]],
    ['centre and size', [1, 0, 3, 2], [0.55, 0.3, 0.7, 0.4]],
  ] as const)('makes one box of %s in the order %j', (boxForm, boxOrder, numbers) => {
    const outputs = new Map([
      ['b', float32([1, 1, 4], numbers)],
      ['s', float32([1, 1], [0.9])],
    ]);
    const { box } = readBoxRows(outputs, { ...interpretation, boxForm, boxOrder }, sizes)!;
    expect([...box]).toEqual([0.1, 0.2, 0.5, 0.9].map((value) => expect.closeTo(value)));
  });

  it('makes parts of sizes in pixels by the side that they lie along', () => {
    const outputs = new Map([
      ['b', float32([1, 1, 4], [30, 27.5, 40, 35])],
      ['s', float32([1, 1], [0.9])],
    ]);
    const { box } = readBoxRows(outputs, { ...interpretation, boxForm: 'centre and size' }, sizes)!;
    expect([...box]).toEqual([0.1, 0.2, 0.5, 0.9].map((value) => expect.closeTo(value)));
  });
});
