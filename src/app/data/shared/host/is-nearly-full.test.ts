import { expect, it } from 'vitest';
import { isNearlyFull } from './is-nearly-full.ts';

it.each([
  [0, 0, false],
  [0, 1e9, false],
  [79e6, 1e9, false],
  [0.89e9, 1e9, false],
  [0.9e9, 1e9, true],
  [1e9, 1e9, true],
  // of a large disk a tenth is much: what counts then is what is left
  [95e9, 100e9, false],
  [99.6e9, 100e9, true],
])('%d of %d bytes used: nearly full %j', (usedBytes, quotaBytes, full) => {
  expect(isNearlyFull({ usedBytes, quotaBytes })).toBe(full);
});
