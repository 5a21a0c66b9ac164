import { describe, expect, it } from 'vitest';
import { type Row, fixed, found, stepSample } from '../test-samples.ts';

const code = 'crop-corner-pixel';

describe(code, () => {
  it.each<Row>([
    ['0, 0, 1, 1', { x_min_px: 0, y_min_px: 0, x_max_px: 1, y_max_px: 1 }, ['error'], undefined],
    ['0, 0, 1, 1 with the zeros left out', { x_max_px: 1.0, y_max_px: 1.0 }, ['error'], undefined],
    ['half the frame', { x_max_px: 1, y_max_px: 0.5 }, [], { x_max_px: 1, y_max_px: 0.5 }],
  ])('%s in a crop step', (_, attributes, findings, afterFix) => {
    const sample = stepSample('crop', attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
