import { describe, expect, it } from 'vitest';
import { histogramPaths } from './histogram-path.ts';

describe('histogramPaths', () => {
  it.each([
    ['below the bars', 0, { kept: 'M25 10V0H49V10zM75 10V0H99V10z', dropped: '' }],
    ['through a bar', 0.35, { kept: 'M35 10V0H49V10zM75 10V0H99V10z', dropped: 'M25 10V0H35V10z' }],
    ['in a gap', 0.5, { kept: 'M75 10V0H99V10z', dropped: 'M25 10V0H49V10z' }],
    ['of an unlisted label', Infinity, { kept: '', dropped: 'M25 10V0H49V10zM75 10V0H99V10z' }],
  ])('threshold %s', (_, threshold, expected) => {
    expect(histogramPaths(Uint32Array.of(0, 3, 0, 3), threshold, 100, 10)).toEqual(expected);
  });

  it('draws nothing of nothing, and a single score beside thousands at least a pixel high', () => {
    expect(histogramPaths(new Uint32Array(4), 0.5, 100, 10)).toEqual({ kept: '', dropped: '' });
    expect(histogramPaths(Uint32Array.of(1_000_000, 0, 0, 1), 0.5, 100, 10).kept).toBe('M75 10V9H99V10z');
  });
});
