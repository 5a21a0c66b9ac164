import { describe, expect, it } from 'vitest';
import type { LintFacts } from '../rule/finding.ts';
import { type Row, fixed, found, visionSample } from '../test-samples.ts';

const code = 'box-order';

describe(code, () => {
  it.each<Row>([
    [
      'a coordinate twice',
      { xmin_ymin_xmax_ymax_order: [0, 1, 2, 2] },
      ['error xmin_ymin_xmax_ymax_order'],
      { mlmodel_name: 'model' },
    ],
    [
      'too few',
      { xmin_ymin_xmax_ymax_order: [0, 1, 2] },
      ['error xmin_ymin_xmax_ymax_order'],
      { mlmodel_name: 'model' },
    ],
    [
      'a permutation',
      { xmin_ymin_xmax_ymax_order: [1, 0, 3, 2] },
      [],
      { mlmodel_name: 'model', xmin_ymin_xmax_ymax_order: [1, 0, 3, 2] },
    ],
    [
      'an empty list, which counts as missing',
      { xmin_ymin_xmax_ymax_order: [] },
      [],
      { mlmodel_name: 'model', xmin_ymin_xmax_ymax_order: [] },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = visionSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });

  it.each<Row>([
    [
      'a wrong one where the model knows its own',
      { xmin_ymin_xmax_ymax_order: [9, 9, 9, 9] },
      ['error xmin_ymin_xmax_ymax_order'],
      { mlmodel_name: 'model', xmin_ymin_xmax_ymax_order: [0, 1, 2, 3] },
    ],
    [
      'none where the model file states another than the machine takes',
      {},
      ['warning xmin_ymin_xmax_ymax_order'],
      { mlmodel_name: 'model', xmin_ymin_xmax_ymax_order: [0, 1, 2, 3] },
    ],
    [
      'an empty one there',
      { xmin_ymin_xmax_ymax_order: [] },
      ['warning xmin_ymin_xmax_ymax_order'],
      { mlmodel_name: 'model', xmin_ymin_xmax_ymax_order: [0, 1, 2, 3] },
    ],
    [
      'another one that somebody chose',
      { xmin_ymin_xmax_ymax_order: [1, 0, 3, 2] },
      [],
      { mlmodel_name: 'model', xmin_ymin_xmax_ymax_order: [1, 0, 3, 2] },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const facts: LintFacts = { vision: { modelBoxOrder: [0, 1, 2, 3] } };
    const sample = visionSample(attributes);
    expect(found(code, sample, facts)).toEqual(findings);
    expect(fixed(code, sample, facts)).toEqual(afterFix);
  });

  it('leaves a model file alone that states what the machine takes', () => {
    expect(found(code, visionSample({}), { vision: { modelBoxOrder: [1, 0, 3, 2] } })).toEqual([]);
  });
});
