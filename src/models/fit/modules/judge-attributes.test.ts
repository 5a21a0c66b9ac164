import { expect, it } from 'vitest';
import { judgeAttributes } from './judge-attributes.ts';
import { onnxCpu, tfliteCpu } from './known-modules.ts';

const judged = (module: string, attributes: Record<string, unknown>): readonly string[] =>
  judgeAttributes(module, attributes).map(({ severity, code, attribute }) => `${severity} ${code} ${attribute}`);

it.each([
  [{ model_path: '/m/yolo.onnx' }, []],
  [{ model_path: '/m/yolo.onnx', label_path: '/m/labels.txt' }, []],
  [{ model_path: '/m.v2/yolo.v8.onnx', label_path: null }, []],
  [{}, ['refuses model-path model_path']],
  [{ model_path: '' }, ['refuses model-path model_path']],
  [{ model_path: null }, ['refuses model-path model_path']],
  [{ model_path: 7 }, ['refuses model-path model_path']],
  [{ model_path: '/m/yolo.ONNX' }, ['refuses file-extension model_path']],
  [{ model_path: '/m/yolo.onnx.bak' }, ['refuses file-extension model_path']],
  [{ model_path: '/m.onnx/yolo' }, ['refuses file-extension model_path']],
  [{ model_path: '/m/yolo.tflite' }, ['refuses file-extension model_path']],
  [{ model_path: '/m/yolo.onnx', label_path: 3 }, ['refuses label-path label_path']],
  [{ model_path: '/m/yolo.onnx', num_threads: 4 }, ['warns attribute-ignored num_threads']],
  [{ model_path: '/m/yolo.onnx', package_reference: 'p' }, ['warns attribute-ignored package_reference']],
])('onnx-cpu: %j → %j', (attributes, findings) => {
  expect(judged(onnxCpu, attributes)).toEqual(findings);
});

it.each([
  [{ model_path: '/m/ssd.tflite', num_threads: 1 }, []],
  [{ model_path: '/m/ssd.lite', num_threads: 2147483646 }, []],
  [{}, ['refuses model-path model_path']],
  [{ model_path: '' }, ['refuses model-path model_path']],
  [{ model_path: ['a'] }, ['refuses model-path model_path']],
  [{ model_path: '/m/ssd.tflite', label_path: 3 }, ['refuses label-path label_path']],
  [{ model_path: '/m/ssd.tflite', label_path: null }, ['refuses label-path label_path']],
  ...[0, -1, 1.5, '2', null, true, 2147483647].map(
    (count) =>
      [{ model_path: '/m/ssd.tflite', num_threads: count }, ['refuses num-threads num_threads']] as [
        Record<string, unknown>,
        string[],
      ],
  ),
  [{ model_path: '/m/ssd.tflite', threads: 2 }, ['warns attribute-ignored threads']],
])('tflite_cpu: %j → %j', (attributes, findings) => {
  expect(judged(tfliteCpu, attributes)).toEqual(findings);
});

it('quotes the machine, with what it got', () => {
  expect(judgeAttributes(onnxCpu, { model_path: '/m/yolo.ONNX' })).toEqual([
    expect.objectContaining({
      message: '"model_path filename must end in .onnx. The filename is yolo.ONNX".',
      cure: 'Rename the file: small letters matter here.',
    }),
  ]);
  expect(judgeAttributes(tfliteCpu, { model_path: 'm', num_threads: 1.5 })[0]?.message).toBe(
    '"Value for field `num_threads` is not a positive integer": it is 1.5.',
  );
});

it('says nothing of the attributes of modules that are not known here', () => {
  expect(judgeAttributes('viam:mlmodel-triton:triton', { num_threads: 0 })).toEqual([]);
});
