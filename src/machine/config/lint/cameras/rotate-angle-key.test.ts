import { describe, expect, it } from 'vitest';
import { type Row, fixed, found, stepSample } from '../test-samples.ts';

const code = 'rotate-angle-key';

describe(code, () => {
  it.each<Row>([
    ['angle_deg', { angle_deg: 90 }, ['error angle_deg'], { angle_degs: 90 }],
    ['another case', { Angle_Degs: 90 }, ['error Angle_Degs'], { angle_degs: 90 }],
    ['angle', { angle: 90 }, ['error angle'], { angle_degs: 90 }],
    [
      'a second spelling beside the right one',
      { angle_degs: 90, angle_deg: 45 },
      ['warning angle_deg'],
      { angle_degs: 90 },
    ],
    ['the right one', { angle_degs: 90 }, [], { angle_degs: 90 }],
  ])('%s in a rotate step', (_, attributes, findings, afterFix) => {
    const sample = stepSample('rotate', attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
