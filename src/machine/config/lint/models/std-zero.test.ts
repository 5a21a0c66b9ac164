import { describe, expect, it } from 'vitest';
import { type Row, fixed, found, visionSample } from '../test-samples.ts';

const code = 'std-zero';

describe(code, () => {
  it.each<Row>([
    [
      'a zero',
      { input_image_std_dev: [0.5, 0, 0.5] },
      ['error input_image_std_dev'],
      { mlmodel_name: 'model', input_image_std_dev: [0.5, 1, 0.5] },
    ],
    [
      'what float32 rounds to zero',
      { input_image_std_dev: [1e-60, 1, 1] },
      ['error input_image_std_dev'],
      { mlmodel_name: 'model', input_image_std_dev: [1, 1, 1] },
    ],
    [
      'a mean of zero',
      { input_image_mean_value: [0, 0, 0] },
      [],
      { mlmodel_name: 'model', input_image_mean_value: [0, 0, 0] },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = visionSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
