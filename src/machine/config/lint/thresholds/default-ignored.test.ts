import { describe, expect, it } from 'vitest';
import { type Row, fixed, found, visionSample } from '../test-samples.ts';

const code = 'default-ignored';

describe(code, () => {
  it.each<Row>([
    [
      'a default beside labels',
      { default_minimum_confidence: 0.5, label_confidences: { dog: 0.6 } },
      ['info default_minimum_confidence'],
      { mlmodel_name: 'model', label_confidences: { dog: 0.6 } },
    ],
    [
      'a default beside no labels',
      { default_minimum_confidence: 0.5, label_confidences: {} },
      [],
      { mlmodel_name: 'model', default_minimum_confidence: 0.5, label_confidences: {} },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = visionSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
