import { expect, it } from 'vitest';
import { absentModelOf } from './absent-model.ts';
import { listEntries } from './parse/config-entries.ts';
import { parseDocument } from './json/json-document.ts';

const wordsOf = (attributes: object, model = 'viam:mlmodel:onnx-cpu') => {
  const services = [
    { name: 'm', api: 'rdk:service:mlmodel', model, attributes },
    { name: 'v', api: 'rdk:service:vision', model: 'mlmodel', attributes: { mlmodel_name: 'm' } },
  ];
  return absentModelOf(listEntries(parseDocument(JSON.stringify({ services }))), 'v');
};

it.each([
  ['${packages.ml_model.people}/people.onnx', 'It is in the registry package “people”, which no page can fetch.'],
  [
    '${packages.ml_model.my-org.people}/p.onnx',
    'It is in the registry package “my-org.people”, which no page can fetch.',
  ],
  ['${packages.people}/people.onnx', 'It is in the registry package “people”, which no page can fetch.'],
  ['people.onnx', 'That model is not loaded here.'],
  ['C:\\models\\people.onnx', 'It is on the machine’s disk, which no page can read.'],
  ['/home/pi/people.onnx', 'It is on the machine’s disk, which no page can read.'],
])('a model at %s is absent, and why', (path, why) => {
  expect(wordsOf({ model_path: path })).toEqual({ what: path, why });
});

it('a model inside a module names the module', () => {
  expect(wordsOf({}, 'acme:detect:yolo')).toEqual({
    what: '“m” of the module acme:detect:yolo',
    why: 'It names no model file that could be dropped here.',
  });
});

it('nothing is said where the configuration shows no model service', () => {
  expect(absentModelOf([], 'v')).toBeNull();
});
