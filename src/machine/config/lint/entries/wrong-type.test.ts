import { describe, expect, it } from 'vitest';
import { lint } from '../lint.ts';
import { type Row, filterSample, fixed, found, stepSample, visionSample } from '../test-samples.ts';

const code = 'wrong-type';

describe(code, () => {
  it.each<Row>([
    [
      'a number in quotes',
      { default_minimum_confidence: '0.5' },
      ['error default_minimum_confidence'],
      { mlmodel_name: 'model', default_minimum_confidence: 0.5 },
    ],
    [
      'a bare number for a list',
      { input_image_mean_value: 0.5 },
      ['error input_image_mean_value'],
      { mlmodel_name: 'model', input_image_mean_value: [0.5] },
    ],
    [
      'a number for a switch',
      { input_image_bgr: 1 },
      ['error input_image_bgr'],
      { mlmodel_name: 'model', input_image_bgr: true },
    ],
    ['a list for a map', { label_confidences: ['dog'] }, ['error label_confidences'], { mlmodel_name: 'model' }],
    [
      'a word in a list of numbers',
      { xmin_ymin_xmax_ymax_order: [0, 1, 2, 'xmax'] },
      ['error xmin_ymin_xmax_ymax_order[3]'],
      { mlmodel_name: 'model', xmin_ymin_xmax_ymax_order: [0, 1, 2, 'xmax'] },
    ],
    [
      'null for anything',
      { label_confidences: null, input_image_bgr: null },
      [],
      { mlmodel_name: 'model', label_confidences: null, input_image_bgr: null },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = visionSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });

  it.each<Row>([
    [
      'a negative count',
      { classifier_name: 'vision', max_classifications: -2 },
      ['error max_classifications'],
      { classifier_name: 'vision', max_classifications: 2 },
    ],
  ])('%s in a classifications step', (_, attributes, findings, afterFix) => {
    const sample = stepSample('classifications', attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });

  it('refuses only the camera for what a filtered camera’s module decodes', () => {
    const { text } = filterSample({ cooldown_s: '3', vision_services: [{ vision: 7 }] });
    const messages = lint(text).flatMap((finding) => (finding.code === code ? [finding.message] : []));
    expect(messages).toHaveLength(2);
    for (const message of messages) expect(message).not.toContain('whole configuration');
    expect(fixed(code, filterSample({ cooldown_s: '3' }))).toMatchObject({ cooldown_s: 3 });
  });
});
