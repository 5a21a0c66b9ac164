import { describe, expect, it } from 'vitest';
import { type Row, fixed, found, visionSample } from '../test-samples.ts';

const code = 'mlmodel-name';

describe(code, () => {
  it.each<Row>([
    ['no model', { mlmodel_name: '' }, ['error mlmodel_name'], { mlmodel_name: 'model' }],
    ['a model that does not exist', { mlmodel_name: 'modell' }, ['warning mlmodel_name'], { mlmodel_name: 'model' }],
    ['a model that exists', {}, [], { mlmodel_name: 'model' }],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = visionSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
