import { describe, expect, it } from 'vitest';
import { colorRule } from './color-rule.ts';

const missing = { saturation_cutoff_pct: 0, value_cutoff_pct: 0, segment_size_px: 0, label: '', camera_name: '' };
const valid = { ...missing, detect_color: '#336699', hue_tolerance_pct: 0.3 };

describe('colorRule', () => {
  it('has the machine’s defaults for 0 and an empty label', () => {
    const rule = colorRule(valid);
    expect(rule).toMatchObject({
      tolerance: 0.3,
      saturationCutoff: 0.2,
      valueCutoff: 0.3,
      minAreaPx: 5000,
      label: 'light-blue',
    });
    expect('hueDeg' in rule && rule.hueDeg).toBeCloseTo(210, 2);
  });

  it('takes what is given', () => {
    const given = { saturation_cutoff_pct: 0.1, value_cutoff_pct: 0.15, segment_size_px: 40, label: 'ball' };
    const rule = { saturationCutoff: 0.1, valueCutoff: 0.15, minAreaPx: 40, label: 'ball' };
    expect(colorRule({ ...valid, ...given })).toMatchObject(rule);
    expect(colorRule({ ...valid, segment_size_px: -3 })).toMatchObject({ minAreaPx: -3 });
    expect(colorRule({ ...valid, hue_tolerance_pct: 1 })).toMatchObject({ tolerance: 1 });
  });

  it.each<[title: string, attributes: Partial<typeof valid>, code: string, key: string]>([
    ['no colour', { detect_color: '' }, 'bad-color', 'detect_color'],
    ['a short form', { detect_color: '#e52' }, 'bad-color', 'detect_color'],
    ['no sign', { detect_color: '336699' }, 'bad-color', 'detect_color'],
    ['black', { detect_color: '#000000' }, 'grey-color', 'detect_color'],
    ['grey', { detect_color: '#808080' }, 'grey-color', 'detect_color'],
    ['white', { detect_color: '#ffffff' }, 'grey-color', 'detect_color'],
    ['so pale that its saturation is cut off to 0', { detect_color: '#ffffff' }, 'grey-color', 'detect_color'],
    ['paler than the default', { detect_color: '#ffd0d0' }, 'pale-color', 'detect_color'],
    ['paler than its own cut-off', { saturation_cutoff_pct: 0.7 }, 'pale-color', 'detect_color'],
    ['darker than the default', { detect_color: '#4c0000' }, 'dark-color', 'detect_color'],
    ['darker than its own cut-off', { value_cutoff_pct: 0.7 }, 'dark-color', 'detect_color'],
    ['no tolerance', { hue_tolerance_pct: 0 }, 'bad-hue-tolerance', 'hue_tolerance_pct'],
    ['a tolerance below 0', { hue_tolerance_pct: -0.1 }, 'bad-hue-tolerance', 'hue_tolerance_pct'],
    ['a tolerance above 1', { hue_tolerance_pct: 1.01 }, 'bad-hue-tolerance', 'hue_tolerance_pct'],
    ['a saturation above 1', { saturation_cutoff_pct: 1.5 }, 'bad-cutoff', 'saturation_cutoff_pct'],
    ['a saturation below 0', { saturation_cutoff_pct: -0.1 }, 'bad-cutoff', 'saturation_cutoff_pct'],
    ['a value above 1', { value_cutoff_pct: 30 }, 'bad-cutoff', 'value_cutoff_pct'],
    ['grey before its tolerance', { detect_color: '#888888', hue_tolerance_pct: 0 }, 'grey-color', 'detect_color'],
    [
      'the tolerance before a cut-off',
      { hue_tolerance_pct: 0, value_cutoff_pct: 2 },
      'bad-hue-tolerance',
      'hue_tolerance_pct',
    ],
    [
      'a cut-off before the colour fails one',
      { detect_color: '#ffd0d0', value_cutoff_pct: 2 },
      'bad-cutoff',
      'value_cutoff_pct',
    ],
    ['pale before dark', { detect_color: '#282424' }, 'pale-color', 'detect_color'],
  ])('is refused for %s', (_, attributes, code, key) => {
    const refusal = colorRule({ ...valid, ...attributes });
    expect(refusal).toMatchObject({ code, key });
    expect('message' in refusal && refusal.message).toContain(`${key} is `);
  });

  it('takes a colour that is as high as its cut-offs', () => {
    expect(colorRule({ ...valid, saturation_cutoff_pct: 170 / 255, value_cutoff_pct: 0.6 })).not.toHaveProperty('code');
  });
});
