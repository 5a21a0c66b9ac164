import { describe, expect, it } from 'vitest';
import { histogramPath } from './histogram-path.ts';

describe('histogramPath', () => {
  it('draws a bar for each bin with scores', () => {
    expect(histogramPath(Uint32Array.of(0, 3, 0, 3), 100, 10)).toBe('M25 10V0H49V10zM75 10V0H99V10z');
  });

  it('draws nothing of nothing, and a single score beside thousands at least a pixel high', () => {
    expect(histogramPath(new Uint32Array(4), 100, 10)).toBe('');
    expect(histogramPath(Uint32Array.of(1_000_000, 0, 0, 1), 100, 10)).toBe('M0 10V0H24V10zM75 10V9H99V10z');
  });
});
