import { describe, expect, it } from 'vitest';
import { type Row, fixed, found, stepSample, visionSample } from '../test-samples.ts';

const code = 'key-case';

describe(code, () => {
  it.each<Row>([
    ['another case', { Camera_Name: 'webcam' }, ['info Camera_Name'], { mlmodel_name: 'model', camera_name: 'webcam' }],
    [
      'another case beside the exact key',
      { Camera_Name: 'x', camera_name: 'webcam' },
      ['warning Camera_Name'],
      { mlmodel_name: 'model', camera_name: 'webcam' },
    ],
    [
      'a long s, which folds to s',
      { 'input_image_\u017ftd_dev': [1, 1, 1], input_image_mean_value: [0, 0, 0] },
      ['info ["input_image_\u017ftd_dev"]'],
      { mlmodel_name: 'model', input_image_std_dev: [1, 1, 1], input_image_mean_value: [0, 0, 0] },
    ],
    [
      'two wrong spellings, of which the machine takes one at random',
      { Camera_Name: 'webcam', CAMERA_NAME: 'x' },
      ['warning Camera_Name', 'warning CAMERA_NAME'],
      { mlmodel_name: 'model', camera_name: 'webcam' },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = visionSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });

  it.each<Row>([['an angle, which has a rule of its own', { Angle_Degs: 5 }, [], { Angle_Degs: 5 }]])(
    '%s in a rotate step',
    (_, attributes, findings, afterFix) => {
      const sample = stepSample('rotate', attributes);
      expect(found(code, sample)).toEqual(findings);
      expect(fixed(code, sample)).toEqual(afterFix);
    },
  );
});
