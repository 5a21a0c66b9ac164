import { describe, expect, it } from 'vitest';
import type { LintFacts } from '../rule/finding.ts';
import { type Row, fixed, found, visionSample } from '../test-samples.ts';

const code = 'mean-std-implicit';

describe(code, () => {
  it.each<Row>([
    [
      'a mean alone',
      { input_image_mean_value: [0, 0, 0] },
      ['warning input_image_std_dev'],
      { mlmodel_name: 'model', input_image_mean_value: [0, 0, 0], input_image_std_dev: [0.5, 0.5, 0.5] },
    ],
    ['neither, with an unknown model', {}, [], { mlmodel_name: 'model' }],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = visionSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });

  it.each<Row>([
    [
      'neither, with a float model',
      {},
      ['info input_image_mean_value', 'info input_image_std_dev'],
      { mlmodel_name: 'model', input_image_mean_value: [0.5, 0.5, 0.5], input_image_std_dev: [0.5, 0.5, 0.5] },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const facts: LintFacts = {
      vision: { inputs: [{ name: 'image', dtype: 'float32', shape: [1, 8, 8, 3], symbols: [] }] },
    };
    const sample = visionSample(attributes);
    expect(found(code, sample, facts)).toEqual(findings);
    expect(fixed(code, sample, facts)).toEqual(afterFix);
  });
});
