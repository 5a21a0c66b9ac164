import { expect, it } from 'vitest';
import { lint } from '../../../../machine/config/lint/lint.ts';
import { placeOf } from './place-of-finding.ts';

const service = (name: string | undefined, attributes: object) => ({
  name,
  api: 'rdk:service:vision',
  model: 'mlmodel',
  attributes: { mlmodel_name: 'm', ...attributes },
});

it('names the component or service that a finding is about', () => {
  const text = JSON.stringify({
    components: [
      {
        name: 'cropped',
        api: 'rdk:component:camera',
        model: 'transform',
        attributes: { source: 'cam', pipeline: [{ type: 'rotate', attributes: { angle_deg: 90 } }] },
      },
    ],
    services: [
      { name: 'm', api: 'rdk:service:mlmodel', model: 'viam:mlmodel:onnx-cpu', attributes: {} },
      service('near', { default_minimum_confidence: 2 }),
      service('far', { default_minimum_confidence: 3 }),
      service(undefined, { default_minimum_confidence: 4 }),
    ],
  });
  const found = lint(text).filter(({ code }) => ['confidence-range', 'rotate-angle-key'].includes(code));
  expect(found.map(placeOf)).toEqual([
    'cropped: attributes.pipeline[0].attributes.angle_deg',
    'near: attributes.default_minimum_confidence',
    'far: attributes.default_minimum_confidence',
    'services[3].attributes.default_minimum_confidence',
  ]);
});

it.each([
  ['{"services": [], }', 'the whole text'],
  ['{"services": {}}', 'services'],
])('says of %j: %s', (text, place) => {
  expect(lint(text).map(placeOf)).toEqual([place]);
});
