import { describe, expect, it } from 'vitest';
import { colorSample, fixed, found, validColor, type Row } from '../test-samples.ts';

const code = 'color-default';

describe(code, () => {
  it.each<Row>([
    ['nothing given', {}, [], validColor],
    [
      'zeros',
      { saturation_cutoff_pct: 0, value_cutoff_pct: 0, segment_size_px: 0 },
      ['warning saturation_cutoff_pct', 'warning value_cutoff_pct', 'warning segment_size_px'],
      { ...validColor, saturation_cutoff_pct: 0.2, value_cutoff_pct: 0.3, segment_size_px: 5000 },
    ],
    [
      'a part of a pixel',
      { segment_size_px: 0.5 },
      ['warning segment_size_px'],
      { ...validColor, segment_size_px: 5000 },
    ],
    [
      'small numbers',
      { value_cutoff_pct: 0.01, segment_size_px: 1 },
      [],
      { ...validColor, value_cutoff_pct: 0.01, segment_size_px: 1 },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = colorSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
