import { describe, expect, it } from 'vitest';
import { type Row, cameraSample, fixed, found } from '../test-samples.ts';

const code = 'pipeline-empty';

describe(code, () => {
  it.each<Row>([
    ['an empty list', { pipeline: [] }, ['error pipeline'], { source: 'webcam', pipeline: [{ type: '' }] }],
    ['null', { pipeline: null }, ['error pipeline'], { source: 'webcam', pipeline: [{ type: '' }] }],
    ['a step', { pipeline: [{ type: '' }] }, [], { source: 'webcam', pipeline: [{ type: '' }] }],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = cameraSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
