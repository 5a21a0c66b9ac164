import { expect, it } from 'vitest';
import type { AlignedSides } from './align-sides.ts';
import { judgeStep } from './judge-steps.ts';

const of = (...values: number[]) =>
  ({ dtype: 'float32', shape: [values.length], data: Float32Array.from(values) }) as const;

it('names the output that differs most against what it may, not the one of the largest values', () => {
  const sides = {
    isQuantised: true,
    steps: [{ inputs: [], outputs: ['large', 'small', 'missing'], reference: [], other: [] }],
    otherName: (name: string) => name,
  } as unknown as AlignedSides;
  const reference = { large: of(100, 100), small: of(1, 1) };
  const judged = judgeStep(sides, 0, {}, reference, { large: of(100, 105), small: of(1, 3) });
  expect(judged.outputs.map(({ name }) => name)).toEqual(['large', 'small']);
  expect([judged.worst, judged.isBeyond]).toEqual([1, true]);
  expect(judgeStep(sides, 0, {}, {}, {})).toMatchObject({ worst: -1, isBeyond: false });
});
