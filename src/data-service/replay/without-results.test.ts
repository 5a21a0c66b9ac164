import { expect, it } from 'vitest';
import { withoutResults } from './without-results.ts';

// A window of a stored sheet: its names are those of the whole sheet, of which the frame that is hidden lies outside of the window.
const window = {
  timesMs: Float64Array.of(5000, 6000),
  starts: Uint32Array.of(0, 1, 2),
  labels: Uint32Array.of(1, 1),
  scores: Float64Array.of(0.5, 0.25),
  names: ['what is hidden', 'dog'],
};

it('tells no name that only results outside of the window have', () => {
  expect(withoutResults(window, new Set([1000]))).toEqual({ ...window, labels: Uint32Array.of(0, 0), names: ['dog'] });
  expect(withoutResults(window, new Set()).names).toEqual(['dog']);
});

it('tells nothing of a hidden frame within it', () => {
  expect(withoutResults(window, new Set([5000]))).toEqual({
    ...window,
    starts: Uint32Array.of(0, 0, 1),
    labels: Uint32Array.of(0),
    scores: Float64Array.of(0.25),
    names: ['dog'],
  });
});
