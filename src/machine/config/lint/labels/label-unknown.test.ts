import { describe, expect, it } from 'vitest';
import type { LintFacts } from '../rule/finding.ts';
import { type Row, fixed, found, visionSample } from '../test-samples.ts';

const code = 'label-unknown';

describe(code, () => {
  it.each<Row>([
    [
      'a misspelt label',
      { label_confidences: { hors: 0.5, DOG: 0.5 } },
      ['warning label_confidences.hors'],
      { mlmodel_name: 'model', label_confidences: { horse: 0.5, DOG: 0.5 } },
    ],
    [
      'a label of another model',
      { label_confidences: { aeroplane: 0.5, dog: 0.5 } },
      ['warning label_confidences.aeroplane'],
      { mlmodel_name: 'model', label_confidences: { dog: 0.5 } },
    ],
    [
      'the only one',
      { label_confidences: { aeroplane: 0.5 } },
      ['warning label_confidences.aeroplane'],
      { mlmodel_name: 'model' },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const facts: LintFacts = { vision: { labels: ['Dog', 'cat', 'horse'], labelsSeen: ['dog', 'cat'] } };
    const sample = visionSample(attributes);
    expect(found(code, sample, facts)).toEqual(findings);
    expect(fixed(code, sample, facts)).toEqual(afterFix);
  });

  it.each<Row>([
    [
      'any label of a model without known labels',
      { label_confidences: { aeroplane: 0.5 } },
      [],
      { mlmodel_name: 'model', label_confidences: { aeroplane: 0.5 } },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = visionSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
