import { describe, expect, it } from 'vitest';
import { type Row, colorSample, fixed, found, machine, stepSample } from '../test-samples.ts';

const code = 'drawn-service';

describe(code, () => {
  it.each<Row>([
    ['no service', {}, ['error detector_name'], { detector_name: 'vision' }],
    [
      'a service that does not exist',
      { detector_name: 'visoin' },
      ['warning detector_name'],
      { detector_name: 'vision' },
    ],
    ['a service', { detector_name: 'vision' }, [], { detector_name: 'vision' }],
  ])('%s in a detections step', (_, attributes, findings, afterFix) => {
    const sample = stepSample('detections', attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });

  it.each<Row>([
    [
      'the key of the other step',
      { detector_name: 'vision' },
      ['error classifier_name'],
      { detector_name: 'vision', classifier_name: 'vision' },
    ],
  ])('%s in a classifications step', (_, attributes, findings, afterFix) => {
    const sample = stepSample('classifications', attributes);
    expect(found(code, sample)).toEqual(findings);
    expect(fixed(code, sample)).toEqual(afterFix);
  });

  it.each([
    ['detections', 'detector_name', []],
    ['classifications', 'classifier_name', ['error pipeline[0].attributes.classifier_name']],
  ])('a colour detector in a %s step', (type, key, findings) => {
    const attributes = { source: 'webcam', pipeline: [{ type, attributes: { [key]: 'blue' } }] };
    const camera = { name: 'tuned', api: 'rdk:component:camera', model: 'transform', attributes };
    const { services } = JSON.parse(colorSample({}).text) as { services: unknown[] };
    const text = machine([camera], services.slice(1));
    expect(found(code, { text, path: ['components', 1, 'attributes'] })).toEqual(findings);
  });
});
