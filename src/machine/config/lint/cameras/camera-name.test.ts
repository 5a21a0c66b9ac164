import { describe, expect, it } from 'vitest';
import { type Row, fixed, found, visionSample } from '../test-samples.ts';

const code = 'camera-name';

describe(code, () => {
  it.each<Row>([
    [
      'a camera that does not exist',
      { camera_name: 'web-cam' },
      ['error camera_name'],
      { mlmodel_name: 'model', camera_name: 'webcam' },
    ],
    ['a camera, or none', { camera_name: 'webcam' }, [], { mlmodel_name: 'model', camera_name: 'webcam' }],
  ])('%s', (_, attributes, findings, afterFix) => {
    const sample = visionSample(attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });
});
