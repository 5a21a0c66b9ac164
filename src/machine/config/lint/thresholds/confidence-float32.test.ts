import { describe, expect, it } from 'vitest';
import { lint } from '../lint.ts';
import { type Row, fixed, found, machine, visionSample } from '../test-samples.ts';

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
      'several at once, in one finding with one fix',
      { label_confidences: { dog: 0.9, cat: 0.5, bird: 0.65, cow: 0.7 } },
      ['info label_confidences'],
      { mlmodel_name: 'model', label_confidences: { dog: 0.89999997, cat: 0.5, bird: 0.64999997, cow: 0.69999998 } },
    ],
    [
      'but not a default that has no effect',
      { default_minimum_confidence: 0.7, label_confidences: { cat: 0.5 } },
      [],
      { mlmodel_name: 'model', default_minimum_confidence: 0.7, label_confidences: { cat: 0.5 } },
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

  it('names the number of them, wherever they stand, and how one comes about', () => {
    const service = (name: string, attributes: object) => ({
      name,
      api: 'rdk:service:vision',
      model: 'mlmodel',
      attributes: { mlmodel_name: 'model', ...attributes },
    });
    const text = machine(
      [],
      [service('a', { default_minimum_confidence: 0.7 }), service('b', { label_confidences: { x: 0.9 } })],
    );
    const findings = lint(text).filter((finding) => finding.code === code);
    expect(findings.map(({ message, pointer, fix }) => [pointer, message, fix?.title])).toEqual([
      [
        '/services/1/attributes/default_minimum_confidence',
        'A float32 score of 0.7 is 0.699999988, below 0.7, and is dropped; 0.69999998 keeps it. 2 thresholds are like this.',
        'Write all 2 as float32 has them',
      ],
    ]);
  });
});
