import { describe, expect, it } from 'vitest';
import { type Row, fixed, found, visionSample } from '../test-samples.ts';

const code = 'label-twice';

describe(code, () => {
  it.each<Row>([
    [
      'two spellings',
      { label_confidences: { dog: 0.5, Dog: 0.75 } },
      ['warning label_confidences.Dog'],
      { mlmodel_name: 'model', label_confidences: { dog: 0.5 } },
    ],
    [
      'two labels',
      { label_confidences: { dog: 0.5, cat: 0.75 } },
      [],
      { mlmodel_name: 'model', label_confidences: { dog: 0.5, cat: 0.75 } },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = visionSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
