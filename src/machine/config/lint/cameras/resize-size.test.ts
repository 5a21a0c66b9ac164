import { describe, expect, it } from 'vitest';
import { type Row, fixed, found, stepSample } from '../test-samples.ts';

const code = 'resize-size';

describe(code, () => {
  it.each<Row>([
    ['a zero', { width_px: 0, height_px: 240 }, ['error width_px'], undefined],
    ['a missing side', { width_px: 320 }, ['error height_px'], undefined],
    ['a negative side', { width_px: 320, height_px: -1 }, ['error height_px'], undefined],
    ['a misspelt side', { width: 320, height_px: 240 }, ['error width_px'], { width_px: 320, height_px: 240 }],
    [
      'two misspelt sides',
      { widht_px: 320, Height: 240 },
      ['error width_px', 'error height_px'],
      { width_px: 320, height_px: 240 },
    ],
    ['a misspelt side without a size', { width: 0, height_px: 240 }, ['error width_px'], undefined],
    ['a size', { width_px: 320, height_px: 240 }, [], { width_px: 320, height_px: 240 }],
  ])('%s in a resize step', (_, attributes, findings, afterFix) => {
    const sample = stepSample('resize', attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
