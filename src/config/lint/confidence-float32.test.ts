import { describe, expect, it } from 'vitest';
import { type Row, fixed, found, visionSample } from './test-samples.ts';

const code = 'confidence-float32';

describe(code, () => {
  it.each<Row>([
    [
      '0.7, which float32 holds as less',
      { default_minimum_confidence: 0.7 },
      ['info default_minimum_confidence'],
      { mlmodel_name: 'model', default_minimum_confidence: 0.69999998 },
    ],
    [
      '0.9 for a label',
      { label_confidences: { dog: 0.9 } },
      ['info label_confidences.dog'],
      { mlmodel_name: 'model', label_confidences: { dog: 0.89999997 } },
    ],
    [
      '0.6, which float32 holds as more, and 0.5',
      { label_confidences: { a: 0.6, b: 0.5 } },
      [],
      { mlmodel_name: 'model', label_confidences: { a: 0.6, b: 0.5 } },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = visionSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
