import { describe, expect, it } from 'vitest';
import { type Row, fixed, found, stepSample } from '../test-samples.ts';

const code = 'rotate-angle-missing';

describe(code, () => {
  it.each<Row>([
    ['no angle', {}, ['info angle_degs'], { angle_degs: 180 }],
    ['null', { angle_degs: null }, ['info angle_degs'], { angle_degs: 0 }],
    ['an angle, or a misspelt one', { angle_deg: 90 }, [], { angle_deg: 90 }],
  ])('%s in a rotate step', (_, attributes, findings, afterFix) => {
    const sample = stepSample('rotate', attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
