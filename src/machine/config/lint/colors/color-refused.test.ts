import { describe, expect, it } from 'vitest';
import { colorSample, fixed, found, validColor, type Row } from '../test-samples.ts';

const code = 'color-refused';

describe(code, () => {
  it.each<Row>([
    ['a colour that can be found', {}, [], validColor],
    ['a short form', { detect_color: '#e52' }, ['error detect_color'], { ...validColor, detect_color: '#ee5522' }],
    ['no sign', { detect_color: '336699' }, ['error detect_color'], validColor],
    ['a word', { detect_color: 'red' }, ['error detect_color'], { ...validColor, detect_color: 'red' }],
    ['grey', { detect_color: '#808080' }, ['error detect_color'], { ...validColor, detect_color: '#808080' }],
    ['too pale', { detect_color: '#ffd0d0' }, ['error detect_color'], { ...validColor, detect_color: '#ffd0d0' }],
    [
      'too dark by its own cut-off',
      { value_cutoff_pct: 0.7 },
      ['error detect_color'],
      { ...validColor, value_cutoff_pct: 0.7 },
    ],
    ['no tolerance', { hue_tolerance_pct: 0 }, ['error hue_tolerance_pct'], validColor],
    ['too high a tolerance', { hue_tolerance_pct: 18 }, ['error hue_tolerance_pct'], validColor],
    ['a cut-off in percent', { saturation_cutoff_pct: 20 }, ['error saturation_cutoff_pct'], validColor],
    ['a value in percent', { value_cutoff_pct: 30 }, ['error value_cutoff_pct'], validColor],
    ['what is of another type', { detect_color: 7 }, [], { ...validColor, detect_color: 7 }],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = colorSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
