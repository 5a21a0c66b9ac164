import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sharesOf } from './measured-sequencer.ts';
import { readTestTimes } from './test-times.ts';

it('lists times of files that are there', () => {
  expect(Object.keys(readTestTimes()).filter((path) => !existsSync(path))).toEqual([]);
});

it('splits files into shares that take equally long, each file once', () => {
  const times: Readonly<Record<string, number>> = { a: 1, b: 2, c: 6, d: 3 };
  const shares = sharesOf(Object.keys(times), 2, (file) => times[file]!);
  expect(shares.map((share) => share.reduce((sum, file) => sum + times[file]!, 0))).toEqual([6, 6]);
  expect(shares.flat().sort()).toEqual(Object.keys(times));
});
