import { expect, it } from 'vitest';
import { isModelName, modelAmong } from './model-file-name.ts';

it.each([
  ['net.onnx', true],
  ['NET.ORT', true],
  ['best.pt', true],
  ['net.tflite', true],
  ['net.onnx.data', true],
  ['net.onnx_data', true],
  ['net.xml', true],
  ['labels.txt', false],
  ['machine.json', false],
  ['photo.jpg', false],
  ['onnx', false],
])('%s is the name of a model: %s', (name, expected) => {
  expect(isModelName(name)).toBe(expected);
});

it('takes the file that opens, whatever came first', () => {
  const [weights, model] = [new File([], 'a.data'), new File([], 'b.onnx')];
  expect(modelAmong([weights, model])).toEqual({ file: model, beside: [weights] });
  expect(modelAmong([weights])).toEqual({ file: weights, beside: [] });
  expect(modelAmong([])).toBeNull();
  const lite = new File([], 'c.tflite');
  expect(modelAmong([weights, lite])).toEqual({ file: lite, beside: [weights] });
});
