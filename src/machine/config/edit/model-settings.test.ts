import { describe, expect, it } from 'vitest';
import { readModelSettings, withChanges, writeModelSettings } from './model-settings.ts';
import { sampleConfigText } from '../share/sample-config.ts';

const text = (vision: string, model = '{ "model_path": "a.onnx", "num_threads": 2 }') => `{
  "services": [
    { "name": "m", "api": "rdk:service:mlmodel", "model": "viam:mlmodel:onnx-cpu", "attributes": ${model} },
    { "name": "v", "api": "rdk:service:vision", "model": "mlmodel", "attributes": ${vision} }
  ]
}`;
const others = {
  module: 'viam:mlmodel-tflite:tflite_cpu',
  attributes: { model_path: 'b.tflite', label_path: 'b.txt' },
};
const attributesOf = (json: string) =>
  (JSON.parse(json) as { services: { attributes: unknown }[] }).services.map(({ attributes }) => attributes);

describe('the settings of a model', () => {
  it('are exchanged for those of another, and nothing else is', () => {
    const before = text(
      '{ "mlmodel_name": "m", "camera_name": "cam", "input_image_bgr": true, "label_confidences": { "a": 0.7 } }',
    );
    const after = writeModelSettings(before, 'v', { vision: { default_minimum_confidence: 0.2 }, file: others });
    expect(JSON.parse(after).services[0].model).toBe(others.module);
    expect(attributesOf(after)).toEqual([
      { model_path: 'b.tflite', num_threads: 2, label_path: 'b.txt' },
      { mlmodel_name: 'm', camera_name: 'cam', default_minimum_confidence: 0.2 },
    ]);
  });

  it.each([
    [
      'order and numbers',
      '{ "input_image_std_dev": [1.0e1, 2, 3], "mlmodel_name": "m", "default_minimum_confidence": 0.30 }',
    ],
    ['keys in other letters', '{ "mlmodel_name": "m", "Input_Image_BGR": true, "label_path": "x.txt" }'],
    [
      'a default beside a list',
      '{ "mlmodel_name": "m", "default_minimum_confidence": 1, "label_confidences": { "a": 0.5 } }',
    ],
  ])('come back to the character: %s', (_, vision) => {
    const before = text(vision);
    const known = readModelSettings(before, 'v');
    const other = writeModelSettings(before, 'v', { vision: { input_image_bgr: false }, file: others });
    expect(other).not.toBe(before);
    expect(writeModelSettings(other, 'v', known)).toBe(before);
  });

  it('come back among what was set meanwhile', () => {
    const known = readModelSettings(sampleConfigText, 'detector');
    const other = writeModelSettings(sampleConfigText, 'detector', { vision: {}, file: others });
    const renamed = (json: string) => json.replaceAll('tuned-camera', 'turned');
    const back = writeModelSettings(renamed(other), 'detector', known);
    expect(JSON.parse(back)).toEqual(JSON.parse(renamed(sampleConfigText)));
  });

  it('are those of the vision service alone where the text does not show its model service', () => {
    const alone =
      '{"services":[{"name":"v","api":"rdk:service:vision","model":"mlmodel","attributes":{"mlmodel_name":"m"}}]}';
    expect(readModelSettings(alone, 'v').file).toBeNull();
    const after = writeModelSettings(alone, 'v', { vision: { input_image_bgr: true }, file: others });
    expect(attributesOf(after)).toEqual([{ mlmodel_name: 'm', input_image_bgr: true }]);
  });
});

it('adds to the settings of a model what was set, changed or removed in those of another', () => {
  const file = (path: string, labels?: string) => ({
    module: 'viam:mlmodel:onnx-cpu',
    attributes: { model_path: path, ...(labels && { label_path: labels }) },
  });
  const before = {
    vision: { input_image_bgr: true, label_path: 'a.txt', label_confidences: { cat: 0.1, dog: 0.2, cow: 0.3 } },
    file: file('a.onnx'),
  };
  const now = {
    vision: { input_image_bgr: true, default_minimum_confidence: 0.4, label_confidences: { cat: 0.1, dog: 0.9 } },
    file: file('a.onnx', 'own.txt'),
  };
  const own = { vision: { label_path: 'b.txt', label_confidences: { cow: 0.5, owl: 0.6 } }, file: file('b.onnx') };
  expect(withChanges(own, before, now)).toEqual({
    vision: { default_minimum_confidence: 0.4, label_confidences: { dog: 0.9, owl: 0.6 } },
    file: file('b.onnx', 'own.txt'),
  });
  expect(withChanges(own, before, before)).toEqual(own);
});
