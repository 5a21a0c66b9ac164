import { describe, expect, it } from 'vitest';
import { type Row, fixed, found, stepSample } from '../test-samples.ts';

const code = 'crop-empty';

describe(code, () => {
  it.each<Row>([
    [
      'a negative edge',
      { x_min_px: -5, x_max_px: 10, y_max_px: 10 },
      ['error x_min_px'],
      { x_min_px: 0, x_max_px: 10, y_max_px: 10 },
    ],
    [
      'edges in the wrong order',
      { x_min_px: 0, x_max_px: 10, y_min_px: 20, y_max_px: 10 },
      ['error y_max_px'],
      { x_min_px: 0, x_max_px: 10, y_min_px: 10, y_max_px: 20 },
    ],
    ['missing edges', {}, ['error x_max_px', 'error y_max_px'], undefined],
    ['a window', { x_max_px: 10, y_max_px: 10 }, [], { x_max_px: 10, y_max_px: 10 }],
  ])('%s in a crop step', (_, attributes, findings, afterFix) => {
    const sample = stepSample('crop', attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
