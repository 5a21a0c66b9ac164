import { describe, expect, it } from 'vitest';
import { type Row, cameraSample, fixed, found } from '../test-samples.ts';

const code = 'intrinsics-size';

describe(code, () => {
  it.each<Row>([
    [
      'a negative width',
      { intrinsic_parameters: { width_px: -640, height_px: 480 } },
      ['error intrinsic_parameters.width_px'],
      { source: 'webcam', pipeline: [{ type: '' }], intrinsic_parameters: { width_px: 640, height_px: 480 } },
    ],
    [
      'a width beyond 64 bits, which becomes a negative one',
      { intrinsic_parameters: { width_px: 2 ** 63, height_px: 480 } },
      ['error intrinsic_parameters.width_px'],
      { source: 'webcam', pipeline: [{ type: '' }], intrinsic_parameters: { height_px: 480 } },
    ],
    [
      'the largest width',
      { intrinsic_parameters: { width_px: 2 ** 63 - 1024 } },
      [],
      { source: 'webcam', pipeline: [{ type: '' }], intrinsic_parameters: { width_px: 2 ** 63 - 1024 } },
    ],
    [
      'zero, and none',
      { intrinsic_parameters: { width_px: 0 } },
      [],
      { source: 'webcam', pipeline: [{ type: '' }], intrinsic_parameters: { width_px: 0 } },
    ],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = cameraSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
