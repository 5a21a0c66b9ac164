import { expect, it } from 'vitest';
import type { ConfigEntry } from '../../../../machine/config/parse/config-entries.ts';
import type { ModuleFinding } from '../../../../models/fit/modules/module-finding.ts';
import { modelFindings, verdictText } from './model-findings.ts';

const onnx = { name: 'onnx', irVersion: 8, opsets: { '': 17 } } as const;
const refused: ModuleFinding = { code: 'opset', severity: 'refuses', message: 'm', cure: 'c' };
const service = (model: string, attributes = {}): ConfigEntry => ({
  kind: 'mlmodel',
  name: 'm',
  api: 'rdk:service:mlmodel',
  model,
  path: ['services', 0],
  attributesPath: ['services', 0, 'attributes'],
  attributes,
});
const codes = (fileName: string, entry?: ConfigEntry): readonly string[] =>
  modelFindings({ fileName, format: onnx, moduleFindings: [refused] }, entry).map(({ code }) => code);

it.each([
  ['the module for its format, without a model service', 'a.onnx', undefined, ['opset']],
  ['the module that the model service names', 'a.onnx', service('viam:mlmodel-triton:triton'), ['unknown-module']],
  ['a module for other files', 'a.onnx', service('viam:mlmodel-tflite:tflite_cpu'), ['other-format']],
  ['a name in capitals', 'a.ONNX', undefined, ['file-extension', 'opset']],
  ['an address without a name', 'download', undefined, ['opset']],
  ['attributes, which are the configuration’s matter', 'a.onnx', service('viam:mlmodel:onnx-cpu'), ['opset']],
] as const)('goes by %s', (_, fileName, entry, found) => {
  expect(codes(fileName, entry)).toEqual(found);
});

it.each([
  ['refuses', 'A Viam machine does not load this model'],
  ['fails-at-first-frame', 'A Viam machine loads this model, and fails at the first frame'],
  ['cannot-tell', 'Only the Viam machine can tell whether it loads this model'],
  ['warns', 'A Viam machine loads this model as it is'],
] as const)('%s: %s', (severity, text) => {
  expect(verdictText([{ ...refused, severity }])).toBe(text);
});
