import { describe, expect, it } from 'vitest';
import { type Row, cameraSample, filterSample, fixed, found, validFilter } from '../test-samples.ts';

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

  it.each<Row>([
    ['a camera', {}, [], validFilter],
    ['one that does not exist', { camera: 'wecbam' }, ['error camera'], validFilter],
    ['itself', { camera: 'kept' }, ['error camera'], validFilter],
    ['none, which is refused', { camera: '' }, [], { ...validFilter, camera: '' }],
  ])('of a filtered camera: %s', (_, attributes, findings, afterFix) => {
    const sample = filterSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
