import { describe, expect, it } from 'vitest';
import { type Row, fixed, found, visionSample } from '../test-samples.ts';

const code = 'mean-std-scale';

describe(code, () => {
  it.each<Row>([
    [
      'values for 0–255',
      { input_image_mean_value: [123.675, 116.28, 103.53], input_image_std_dev: [58.395, 57.12, 57.375] },
      ['warning input_image_mean_value', 'warning input_image_std_dev'],
      {
        mlmodel_name: 'model',
        input_image_mean_value: [0.485, 0.456, 0.406],
        input_image_std_dev: [0.229, 0.224, 0.225],
      },
    ],
    [
      'mean 0 and deviation 255',
      { input_image_mean_value: [0, 0, 0], input_image_std_dev: [255, 255, 255] },
      ['warning input_image_std_dev'],
      { mlmodel_name: 'model', input_image_mean_value: [0, 0, 0], input_image_std_dev: [1, 1, 1] },
    ],
    [
      'values for 0–1',
      { input_image_mean_value: [0.485, 0.456, 0.406], input_image_std_dev: [1, 1, 1] },
      [],
      { mlmodel_name: 'model', input_image_mean_value: [0.485, 0.456, 0.406], input_image_std_dev: [1, 1, 1] },
    ],
    [
      'what no division mends',
      { input_image_mean_value: [1000, 1000, 1000] },
      ['warning input_image_mean_value'],
      { mlmodel_name: 'model', input_image_mean_value: [1000, 1000, 1000] },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = visionSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
