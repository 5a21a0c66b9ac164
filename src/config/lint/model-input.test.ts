import { describe, expect, it } from 'vitest';
import type { LintFacts } from './finding.ts';
import { type Row, fixed, found, visionSample, tensor } from './lint-samples.ts';

const code = 'model-input';

describe(code, () => {
  it.each<Row>([['a second input', {}, ['error mlmodel_name'], { mlmodel_name: 'model' }]])(
    '%s',
    (_, attributes, findings, afterFix) => {
      const facts: LintFacts = {
        vision: { inputs: [tensor('images', 1, 3, 320, 320), tensor('orig_target_sizes', 1, 2)] },
      };
      const sample = visionSample(attributes);
      expect(found(code, sample, facts)).toEqual(findings);
      expect(fixed(code, sample, facts)).toEqual(afterFix);
    },
  );

  it.each<Row>([
    [
      'a type and a shape that the machine does not fill',
      {},
      ['error mlmodel_name', 'error mlmodel_name'],
      { mlmodel_name: 'model' },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const facts: LintFacts = { vision: { inputs: [{ ...tensor('data', 1, 1, 8, 8), dtype: 'float16' }] } };
    const sample = visionSample(attributes);
    expect(found(code, sample, facts)).toEqual(findings);
    expect(fixed(code, sample, facts)).toEqual(afterFix);
  });

  it.each<Row>([['a picture of either layout', {}, [], { mlmodel_name: 'model' }]])(
    '%s',
    (_, attributes, findings, afterFix) => {
      const facts: LintFacts = { vision: { inputs: [tensor('image', -1, -1, -1, 3)] } };
      const sample = visionSample(attributes);
      expect(found(code, sample, facts)).toEqual(findings);
      expect(fixed(code, sample, facts)).toEqual(afterFix);
    },
  );
});
