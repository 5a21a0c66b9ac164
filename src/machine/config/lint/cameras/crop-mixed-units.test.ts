import { describe, expect, it } from 'vitest';
import { type Row, fixed, found, stepSample } from '../test-samples.ts';

const code = 'crop-mixed-units';

describe(code, () => {
  it.each<Row>([
    [
      'a fraction that is cut to 0',
      { x_min_px: 0.25, x_max_px: 300, y_max_px: 200 },
      ['warning x_min_px'],
      { x_min_px: 0, x_max_px: 300, y_max_px: 200 },
    ],
    [
      'a fraction that leaves nothing',
      { x_max_px: 0.5, y_max_px: 200 },
      ['error x_max_px'],
      { x_max_px: 0.5, y_max_px: 200 },
    ],
    ['pixels', { x_min_px: 1, x_max_px: 300, y_max_px: 200.5 }, [], { x_min_px: 1, x_max_px: 300, y_max_px: 200.5 }],
    ['fractions', { x_min_px: 0.1, x_max_px: 0.9, y_max_px: 1 }, [], { x_min_px: 0.1, x_max_px: 0.9, y_max_px: 1 }],
  ])('%s in a crop step', (_, attributes, findings, afterFix) => {
    const sample = stepSample('crop', attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
