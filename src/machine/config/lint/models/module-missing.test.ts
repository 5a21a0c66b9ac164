import { describe, expect, it } from 'vitest';
import { lint } from '../lint.ts';
import { fixedText } from '../test-samples.ts';

const code = 'module-missing';
const onnx = 'viam:mlmodel:onnx-cpu';
const registry = (module_id: string, more: object = {}) => ({ type: 'registry', module_id, version: '1.0.0', ...more });

const textOf = (model: string, more: object): string =>
  JSON.stringify({
    components: [],
    services: [{ name: 'm', api: 'rdk:service:mlmodel', model, attributes: { model_path: 'm.onnx' } }],
    ...more,
  });

const found = (text: string) =>
  lint(text)
    .filter((finding) => finding.code === code)
    .map(({ severity, pointer, message, fix }) => [severity, pointer, message, fix?.title]);

describe(code, () => {
  it.each<[string, string, object]>([
    ['the module is there', onnx, { modules: [registry('acme:arm'), registry('viam:onnx-cpu')] }],
    ['the text shows no modules, as a part', onnx, {}],
    ['a fragment may bring it', onnx, { modules: [], fragments: ['f'] }],
    ['a local module may bring it', onnx, { modules: [{ type: 'local', name: 'mine', executable_path: '/run.sh' }] }],
    ['the model service is of another module', 'viam:mlmodel:torch-cpu', { modules: [] }],
    ['modules are no list', onnx, { modules: {} }],
  ])('is silent where %s', (_, model, more) => {
    expect(found(textOf(model, more))).toEqual([]);
  });

  it.each([
    [onnx, 'viam:onnx-cpu', 'viam_onnx-cpu'],
    ['viam:mlmodel-tflite:tflite_cpu', 'viam:tflite_cpu', 'viam_tflite_cpu'],
  ])('names and adds the module of %s', (model, module_id, name) => {
    const text = textOf(model, { modules: [registry('acme:arm')] });
    const words = `No module of the configuration brings ${model}: the machine does not build this service without ${module_id}.`;
    expect(found(text)).toEqual([['warning', '/services/0/model', words, `Add the module ${module_id}`]]);
    expect(JSON.parse(fixedText(code, text)).modules).toEqual([
      registry('acme:arm'),
      { type: 'registry', name, module_id, version: 'latest' },
    ]);
  });

  it.each([
    ['viam:camera:filtered-camera', 'viam:filtered-camera'],
    ['erh:camera:filtered_camera', 'erh:filtered_camera'],
    ['viam:camera:conditional-camera', 'viam:filtered-camera'],
  ])('asks for the module of a camera %s', (model, module_id) => {
    const components = [{ name: 'kept', api: 'rdk:component:camera', model }];
    const text = JSON.stringify({ components, services: [], modules: [] });
    const words = `No module of the configuration brings ${model}: the machine does not build this camera without ${module_id}.`;
    expect(found(text)).toEqual([['warning', '/components/0/model', words, `Add the module ${module_id}`]]);
    expect(found(fixedText(code, text))).toEqual([]);
  });

  it('enables a module that is disabled, and does not count on a disabled local one', () => {
    const disabled = registry('viam:onnx-cpu', { disabled: true });
    const text = textOf(onnx, { modules: [{ type: 'local', disabled: true }, disabled] });
    expect(found(text).map(([, , message, mend]) => [message, mend])).toEqual([
      [
        `The module viam:onnx-cpu, which brings ${onnx}, is disabled: the machine does not build this service.`,
        'Enable viam:onnx-cpu',
      ],
    ]);
    expect(JSON.parse(fixedText(code, text)).modules[1]).toEqual(registry('viam:onnx-cpu'));
  });
});
