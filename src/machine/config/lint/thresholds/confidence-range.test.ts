import { describe, expect, it } from 'vitest';
import { type Row, fixed, found, stepSample, visionSample } from '../test-samples.ts';

const code = 'confidence-range';

describe(code, () => {
  it.each<Row>([
    [
      'percent',
      { default_minimum_confidence: 50 },
      ['error default_minimum_confidence'],
      { mlmodel_name: 'model', default_minimum_confidence: 0.5 },
    ],
    [
      'far too much',
      { default_minimum_confidence: 255 },
      ['error default_minimum_confidence'],
      { mlmodel_name: 'model', default_minimum_confidence: 1 },
    ],
    [
      'hardly above 1, which is no percentage',
      { default_minimum_confidence: 1.5 },
      ['error default_minimum_confidence'],
      { mlmodel_name: 'model', default_minimum_confidence: 1 },
    ],
    [
      'percent for a label',
      { label_confidences: { 'a dog': 75 } },
      ['error label_confidences["a dog"]'],
      { mlmodel_name: 'model', label_confidences: { 'a dog': 0.75 } },
    ],
    [
      'less than nothing',
      { default_minimum_confidence: -1 },
      ['warning default_minimum_confidence'],
      { mlmodel_name: 'model', default_minimum_confidence: 0 },
    ],
    [
      '0 and 1',
      { label_confidences: { a: 0, b: 1 } },
      [],
      { mlmodel_name: 'model', label_confidences: { a: 0, b: 1 } },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = visionSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });

  it.each<Row>([
    [
      'percent',
      { detector_name: 'vision', confidence_threshold: 60 },
      ['error confidence_threshold'],
      { detector_name: 'vision', confidence_threshold: 0.6 },
    ],
  ])('%s in a detections step', (_, attributes, findings, afterFix) => {
    const sample = stepSample('detections', attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
