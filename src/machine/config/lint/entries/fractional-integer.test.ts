import { describe, expect, it } from 'vitest';
import { type Row, fixed, found, stepSample } from '../test-samples.ts';

const code = 'fractional-integer';

describe(code, () => {
  it.each<Row>([
    ['half a pixel', { width_px: 320.5, height_px: 240 }, ['warning width_px'], { width_px: 320, height_px: 240 }],
    ['whole pixels', { width_px: 320, height_px: 240 }, [], { width_px: 320, height_px: 240 }],
  ])('%s in a resize step', (_, attributes, findings, afterFix) => {
    const sample = stepSample('resize', attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });

  it.each<Row>([
    [
      'fractions where they belong',
      { x_min_px: 0.5, x_max_px: 0.75, y_max_px: 0.5 },
      [],
      { x_min_px: 0.5, x_max_px: 0.75, y_max_px: 0.5 },
    ],
  ])('%s in a crop step', (_, attributes, findings, afterFix) => {
    const sample = stepSample('crop', attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
