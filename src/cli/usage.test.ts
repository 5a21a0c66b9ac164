import { expect, it } from 'vitest';
import { usage } from './usage.ts';

it('fits a terminal of 130 columns', () => {
  expect(usage.split('\n').filter((line) => line.length > 130)).toEqual([]);
});
