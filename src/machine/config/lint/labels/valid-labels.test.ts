import { describe, expect, it } from 'vitest';
import type { LintFacts } from '../rule/finding.ts';
import { type Row, fixed, found, stepSample } from '../test-samples.ts';

const code = 'valid-labels';

describe(code, () => {
  it.each<Row>([
    [
      'a misspelt label',
      { detector_name: 'vision', valid_labels: ['dog', 'caat'] },
      ['warning valid_labels[1]'],
      { detector_name: 'vision', valid_labels: ['dog', 'cat'] },
    ],
    [
      'a label of another model',
      { detector_name: 'vision', valid_labels: ['aeroplane'] },
      ['warning valid_labels[0]'],
      { detector_name: 'vision', valid_labels: [] },
    ],
    [
      'labels in any case',
      { detector_name: 'vision', valid_labels: ['DOG'] },
      [],
      { detector_name: 'vision', valid_labels: ['DOG'] },
    ],
  ])('%s in a detections step', (_, attributes, findings, afterFix) => {
    const facts: LintFacts = { vision: { labels: ['Dog', 'cat', 'horse'], labelsSeen: ['dog', 'cat'] } };
    const sample = stepSample('detections', attributes);
    expect(found(code, sample, facts)).toEqual(findings);
    expect(fixed(code, sample, facts)).toEqual(afterFix);
  });
});
