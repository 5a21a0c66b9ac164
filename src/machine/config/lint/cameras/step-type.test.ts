import { describe, expect, it } from 'vitest';
import { type Row, cameraSample, fixed, found } from '../test-samples.ts';

const code = 'step-type';

describe(code, () => {
  it.each<Row>([
    [
      'a removed step',
      {
        pipeline: [
          { type: 'undistort', attributes: {} },
          { type: 'rotate', attributes: { angle_degs: 90 } },
        ],
      },
      ['error pipeline[0].type'],
      { source: 'webcam', pipeline: [{ type: 'rotate', attributes: { angle_degs: 90 } }] },
    ],
    [
      'a step in another case',
      { pipeline: [{ type: 'Crop' }] },
      ['error pipeline[0].type'],
      { source: 'webcam', pipeline: [{ type: 'crop' }] },
    ],
    [
      'an unknown step alone',
      { pipeline: [{ type: 'sepia' }] },
      ['error pipeline[0].type'],
      { source: 'webcam', pipeline: [{ type: '' }] },
    ],
    ['no type, which passes frames on', { pipeline: [{}] }, [], { source: 'webcam', pipeline: [{}] }],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = cameraSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
