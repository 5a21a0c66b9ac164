import { describe, expect, it } from 'vitest';
import { type Row, fixed, found, stepSample, visionSample } from '../test-samples.ts';

const code = 'label-space';

describe(code, () => {
  it.each<Row>([
    [
      'a space at the end',
      { label_confidences: { 'person ': 0.5, 'hot dog': 0.4 } },
      ['warning label_confidences["person "]'],
      { mlmodel_name: 'model', label_confidences: { person: 0.5, 'hot dog': 0.4 } },
    ],
    [
      'a tab at the start, beside the label without it',
      { label_confidences: { '\tdog': 0.5, dog: 0.4 } },
      ['warning label_confidences["\\tdog"]'],
      { mlmodel_name: 'model', label_confidences: { dog: 0.4 } },
    ],
    ['none', { label_confidences: { dog: 0.4 } }, [], { mlmodel_name: 'model', label_confidences: { dog: 0.4 } }],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = visionSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });

  it('in the labels that a step draws', () => {
    const sample = stepSample('detections', { detector_name: 'vision', valid_labels: ['dog', 'cat '] });
    expect(found(code, sample)).toEqual(['warning valid_labels[1]']);
    expect(fixed(code, sample)).toEqual({ detector_name: 'vision', valid_labels: ['dog', 'cat'] });
    expect(found(code, sample, { vision: { labels: ['dog', 'cat'] } })).toEqual([]);
  });

  it('in the label file, whose spaces the machine keeps', () => {
    const sample = visionSample({ label_confidences: { 'dog ': 0.5 } });
    const facts = { vision: { labels: ['dog ', 'cat'] } };
    expect(found(code, sample, facts)).toHaveLength(1);
    expect(fixed(code, sample, facts)).toEqual({ mlmodel_name: 'model', label_confidences: { 'dog ': 0.5 } });
  });
});
