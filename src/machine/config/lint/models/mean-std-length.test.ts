import { describe, expect, it } from 'vitest';
import { type Row, fixed, found, visionSample } from '../test-samples.ts';

const code = 'mean-std-length';

describe(code, () => {
  it.each<Row>([
    [
      'one value',
      { input_image_mean_value: [0.5] },
      ['error input_image_mean_value'],
      { mlmodel_name: 'model', input_image_mean_value: [0.5, 0.5, 0.5] },
    ],
    [
      'four values',
      { input_image_std_dev: [1, 1, 1, 1] },
      ['info input_image_std_dev'],
      { mlmodel_name: 'model', input_image_std_dev: [1, 1, 1] },
    ],
    [
      'three, or none',
      { input_image_mean_value: [1, 1, 1], input_image_std_dev: [] },
      [],
      { mlmodel_name: 'model', input_image_mean_value: [1, 1, 1], input_image_std_dev: [] },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = visionSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
