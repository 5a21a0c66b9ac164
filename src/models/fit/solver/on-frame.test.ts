import { expect, it } from 'vitest';
import type { BoxRows } from '../interpretations/box-rows.ts';
import type { Feeding } from './hypothesis.ts';
import { onFrame } from './on-frame.ts';

const rows = (box: readonly number[]): BoxRows => ({
  count: 1,
  box: Float64Array.from(box),
  score: Float64Array.of(1),
  category: Float64Array.of(0),
  classCount: null,
  space: 'proportional',
  firstBoxSum: 1,
});
const input = { bgr: false, meanValue: [], stdDev: [], fit: 'stretch' } as const;
const sizes = { inputWidthPx: 100, inputHeightPx: 100 };

// A thing at the upper left, 0.1 to 0.3 by 0.2 to 0.6, in the frame turned clockwise.
it.each<[Feeding['turnDegs'], number[]]>([
  [0, [0.1, 0.2, 0.3, 0.6]],
  [90, [0.4, 0.1, 0.8, 0.3]],
  [180, [0.7, 0.4, 0.9, 0.8]],
  [270, [0.2, 0.7, 0.6, 0.9]],
])('takes boxes of a frame turned by %i° back', (turnDegs, box) => {
  const back = onFrame(rows(box), { input, turnDegs }, { widthPx: 40, heightPx: 20 }, sizes);
  expect([...back.box]).toEqual([0.1, 0.2, 0.3, 0.6].map((value) => expect.closeTo(value)));
});

it('takes the margin of a frame that lies on its side away before it is turned', () => {
  const feeding = { input: { ...input, fit: 'letterbox' }, turnDegs: 90 } as const;
  // 40 by 20 turned is 20 by 40: in the middle of 100 by 100 it is 50 wide, from 25.
  const back = onFrame(rows([0.25, 0, 0.75, 1]), feeding, { widthPx: 40, heightPx: 20 }, sizes);
  expect([...back.box]).toEqual([0, 0, 1, 1].map((value) => expect.closeTo(value)));
});
