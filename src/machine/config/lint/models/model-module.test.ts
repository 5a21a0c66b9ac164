import { expect, it } from 'vitest';
import { judgeModule, type JudgedFile } from '../../../../models/fit/modules/judge-module.ts';
import type { ConfigEntry } from '../../parse/config-entries.ts';
import { displayPath } from '../../json/json-path.ts';
import { lint } from '../lint.ts';
import { applyFix } from '../apply-fix.ts';

const text = (attributes: object, model = 'viam:mlmodel:onnx-cpu'): string =>
  JSON.stringify({ services: [{ name: 'm', api: 'rdk:service:mlmodel', model, attributes }] }, null, 2);
const judge =
  (file: JudgedFile | null) =>
  ({ model, attributes }: ConfigEntry) =>
    judgeModule(model, attributes, file);
const found = (configuration: string, file: JudgedFile | null = null): readonly string[] =>
  lint(configuration, {}, judge(file))
    .filter(({ code }) => code === 'model-module')
    .map(({ severity, path }) => `${severity} ${displayPath(path)}`);
const refusedFile: JudgedFile = {
  format: 'onnx',
  findings: [
    { code: 'a', severity: 'refuses', message: 'It says "no".', cure: 'Mend it.' },
    { code: 'b', severity: 'fails-at-first-frame', message: 'It has two inputs.', cure: 'Give it one.' },
    { code: 'c', severity: 'warns', message: 'Weights lie beside it.', cure: 'Copy them.' },
  ],
};

it.each([
  [{ model_path: 'm.onnx' }, []],
  [{}, ['error services[0].attributes.model_path']],
  [{ model_path: 'm.ONNX' }, ['error services[0].attributes.model_path']],
  [{ model_path: 'm.onnx', num_threads: 2 }, ['warning services[0].attributes.num_threads']],
])('attributes %j → %j', (attributes, findings) => {
  expect(found(text(attributes))).toEqual(findings);
});

it('shows what is said of the file at its path', () => {
  const findings = lint(text({ model_path: 'm.onnx' }), {}, judge(refusedFile));
  expect(findings.map(({ severity, pointer, message }) => [severity, pointer, message])).toEqual([
    ['error', '/services/0/attributes/model_path', 'The machine’s model module does not start. It says "no". Mend it.'],
    ['error', '/services/0/attributes/model_path', 'No frame gets an answer. It has two inputs. Give it one.'],
    ['warning', '/services/0/attributes/model_path', 'Weights lie beside it. Copy them.'],
  ]);
});

it('says of a module that only the machine knows that nothing can be told', () => {
  expect(found(text({ model_path: 'm.onnx' }, 'viam:mlmodel-triton:triton'), refusedFile)).toEqual([
    'info services[0].attributes.model_path',
  ]);
});

it.each([
  ['viam:mlmodel:onnx-cpu', { model_path: 'm.onnx', num_threads: 2 }, { model_path: 'm.onnx' }],
  ['viam:mlmodel-tflite:tflite_cpu', { model_path: 'm.tflite', num_threads: 0 }, { model_path: 'm.tflite' }],
])('%s: takes away an attribute that does nothing or does harm', (model, attributes, after) => {
  const before = text(attributes, model);
  const [finding] = lint(before, {}, judge(null));
  const mended = applyFix(before, finding!.fix!);
  expect(JSON.parse(mended)).toEqual(JSON.parse(text(after, model)));
  expect(found(mended)).toEqual([]);
});

it('finds nothing where nobody judges', () => {
  expect(lint(text({})).filter(({ code }) => code === 'model-module')).toEqual([]);
});
