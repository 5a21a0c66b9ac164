import { describe, expect, it } from 'vitest';
import { type Row, fixed, found, stepSample, visionSample } from '../test-samples.ts';

const code = 'unknown-key';

describe(code, () => {
  it.each<Row>([
    [
      'a misspelt key',
      { label_confidence: { dog: 0.5 } },
      ['warning label_confidence'],
      { mlmodel_name: 'model', label_confidences: { dog: 0.5 } },
    ],
    ['a key of nothing', { foo: 1, label_path: '' }, ['warning foo'], { mlmodel_name: 'model', label_path: '' }],
    ['another case, which the machine accepts', { Label_Path: '' }, [], { mlmodel_name: 'model', Label_Path: '' }],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = visionSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });

  it.each<Row>([
    ['a key without its unit', { x_max: 5, y_max_px: 5 }, ['warning x_max'], { x_max_px: 5, y_max_px: 5 }],
  ])('%s in a crop step', (_, attributes, findings, afterFix) => {
    const sample = stepSample('crop', attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });

  it.each<Row>([['an angle, which has a rule of its own', { angle: 5 }, [], { angle: 5 }]])(
    '%s in a rotate step',
    (_, attributes, findings, afterFix) => {
      const sample = stepSample('rotate', attributes);
      expect(found(code, sample)).toEqual(findings);
      expect(fixed(code, sample)).toEqual(afterFix);
    },
  );
});
