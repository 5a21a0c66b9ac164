import { describe, expect, it } from 'vitest';
import { lint } from '../lint.ts';
import { fixed, found, stepSample, type Row } from '../test-samples.ts';

const code = 'top-first';
const named = { classifier_name: 'vision' };
const valid_labels = ['cat'];

describe(code, () => {
  it.each<Row>([
    ['no labels', named, [], named],
    ['an empty list', { ...named, valid_labels: [] }, [], { ...named, valid_labels: [] }],
    [
      'labels of the best class alone',
      { ...named, valid_labels },
      ['warning valid_labels'],
      { ...named, valid_labels, max_classifications: 1000 },
    ],
    [
      'labels among some',
      { ...named, valid_labels, max_classifications: 3 },
      ['warning valid_labels'],
      { ...named, valid_labels, max_classifications: 1000 },
    ],
    [
      'labels among all',
      { ...named, valid_labels, max_classifications: 1000 },
      [],
      { ...named, valid_labels, max_classifications: 1000 },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = stepSample('classifications', attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });

  it('takes as many as there are labels, where they are known', () => {
    const sample = stepSample('classifications', { ...named, valid_labels });
    const facts = { vision: { labels: ['cat', 'dog', 'cow'] } };
    expect(fixed(code, sample, facts)).toEqual({ ...named, valid_labels, max_classifications: 3 });
    const whole = stepSample('classifications', { ...named, valid_labels, max_classifications: 3 });
    expect(found(code, whole, facts)).toEqual([]);
  });

  it('leaves detections alone, which have no top', () => {
    expect(found(code, stepSample('detections', { detector_name: 'vision', valid_labels }))).toEqual([]);
  });

  it('says how many are taken: 0 is one', () => {
    const said = (max_classifications: number) =>
      lint(stepSample('classifications', { ...named, valid_labels, max_classifications }).text).find(
        (finding) => finding.code === code,
      )?.message;
    expect(said(0)).toContain('takes the top 1 of all classes first and looks for valid_labels among it');
    expect(said(2)).toContain('takes the top 2 of all classes first and looks for valid_labels among them');
  });
});
