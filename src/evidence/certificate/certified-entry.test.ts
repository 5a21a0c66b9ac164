import { expect, it } from 'vitest';
import { parseMachineConfig } from '../../machine/config/parse/parse-machine-config.ts';
import { certifiedEntry } from './certified-entry.ts';

const camera = (name: string, attributes: object) => ({
  name,
  api: 'rdk:component:camera',
  model: name === 'webcam' ? 'webcam' : 'transform',
  attributes,
});
const vision = (name: string, model: string) => ({
  name,
  api: 'rdk:service:vision',
  model: 'mlmodel',
  attributes: { mlmodel_name: model },
});
const model = (name: string) => ({
  name,
  api: 'rdk:service:mlmodel',
  model: 'viam:mlmodel:onnx-cpu',
  attributes: { model_path: `${name}.onnx` },
});
const drawing = { type: 'detections', attributes: { detector_name: 'marker', confidence_threshold: 0.5 } };
const { config } = parseMachineConfig(
  JSON.stringify({
    components: [camera('webcam', {}), camera('marked', { source: 'webcam', pipeline: [drawing] })],
    services: [
      vision('finder', 'found'),
      vision('marker', 'marks'),
      vision('other', 'unused'),
      ...['found', 'marks', 'unused'].map(model),
    ],
  }),
);

it('has the services that draw on what the service sees, and the models of all of them', () => {
  const entry = certifiedEntry(config, 'finder', 'marked')!;
  expect(entry.drawn.map(({ name }) => name)).toEqual(['marker']);
  expect(entry.modelServices.map(({ name }) => name)).toEqual(['found', 'marks']);
  expect(certifiedEntry(config, 'finder', null)!.modelServices.map(({ name }) => name)).toEqual(['found']);
  expect(certifiedEntry(config, 'nobody', null)).toBe(null);
});
