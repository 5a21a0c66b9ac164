import { expect, it } from 'vitest';
import { splitPayloads } from './payload-shape.ts';

/** Payloads of which each has a name of its own, in turn. */
const payloadsOf = (shapes: number) => Array.from({ length: 100 }, (_, at) => ({ [`name${at % shapes}`]: at }));

it('splits payloads of sixteen shapes at most into columns, and keeps others whole', () => {
  const split = splitPayloads(payloadsOf(16));
  expect([split.shapes.length, split.columns.length]).toEqual([16, 16]);
  expect(split.columns[3]).toEqual([3, 19, 35, 51, 67, 83, 99]);
  expect(splitPayloads(payloadsOf(17))).toEqual({
    shapes: [0],
    shapeOf: new Array(100).fill(0),
    columns: [payloadsOf(17)],
  });
});
