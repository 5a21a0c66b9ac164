import { describe, expect, it } from 'vitest';
import type { LintFacts } from '../rule/finding.ts';
import { type Row, fixed, found, visionSample } from '../test-samples.ts';

const code = 'label-dropped';

describe(code, () => {
  it.each<Row>([
    [
      'a label seen that the list lacks',
      { label_confidences: { DOG: 0.5, horse: 0.25 } },
      ['warning label_confidences'],
      { mlmodel_name: 'model', label_confidences: { DOG: 0.5, horse: 0.25, cat: 0.25 } },
    ],
    ['no list', { default_minimum_confidence: 0.5 }, [], { mlmodel_name: 'model', default_minimum_confidence: 0.5 }],
    [
      'a full list',
      { label_confidences: { dog: 0.5, Cat: 0.5 } },
      [],
      { mlmodel_name: 'model', label_confidences: { dog: 0.5, Cat: 0.5 } },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const facts: LintFacts = { vision: { labels: ['Dog', 'cat', 'horse'], labelsSeen: ['dog', 'cat'] } };
    const sample = visionSample(attributes);
    expect(found(code, sample, facts)).toEqual(findings);
    expect(fixed(code, sample, facts)).toEqual(afterFix);
  });
});
