import { describe, expect, it } from 'vitest';
import { type Row, cameraSample, fixed, found } from './test-samples.ts';

const code = 'camera-source';

describe(code, () => {
  it.each<Row>([
    ['no source', { source: '' }, ['error source'], { source: 'webcam', pipeline: [{ type: '' }] }],
    [
      'a source that does not exist',
      { source: 'wecbam' },
      ['error source'],
      { source: 'webcam', pipeline: [{ type: '' }] },
    ],
    ['itself', { source: 'tuned' }, ['error source'], { source: 'webcam', pipeline: [{ type: '' }] }],
    ['a camera', { source: 'webcam' }, [], { source: 'webcam', pipeline: [{ type: '' }] }],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = cameraSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
