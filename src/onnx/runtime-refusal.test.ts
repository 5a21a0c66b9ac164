import { expect, it } from 'vitest';
import { explainRuntimeRefusal } from './runtime-refusal.ts';

// Messages as onnxruntime-web 1.30 gave them.
it.each([
  [
    'ERROR_CODE: 6, ERROR_MESSAGE: No Op registered for Foo with domain_version of 18',
    'unsupported-operator',
    'Foo in opset 18',
  ],
  [
    'ERROR_CODE: 1, ERROR_MESSAGE: Fatal error: ai.onnx.contrib:Foo(-1) is not a registered function/op',
    'unsupported-operator',
    'Foo of the domain ai.onnx.contrib',
  ],
  [
    "ERROR_CODE: 9, ERROR_MESSAGE: Could not find an implementation for Relu(1) node with name ''",
    'unsupported-operator',
    'Relu (version 1)',
  ],
  [
    'onnxruntime::model_load_utils::ValidateOpsetForDomain(const std::unordered_map',
    'unsupported-operator',
    'opset_version',
  ],
  [
    'Unsupported model IR version: 99, max supported IR version: 13',
    'unsupported-operator',
    "newer than the runtime's 13",
  ],
  [
    '[ShapeInferenceError] Cannot parse data from external tensors. Please load external data',
    'external-data-missing',
    'one file',
  ],
  ['ERROR_CODE: 2, ERROR_MESSAGE: No graph was found in the protobuf.', 'not-onnx', 'no ONNX model'],
  ['ERROR_CODE: 7, ERROR_MESSAGE: Failed to load model because protobuf parsing failed.', 'not-onnx', 'no ONNX model'],
])('%s', (message, code, words) => {
  expect(explainRuntimeRefusal(message)).toMatchObject({ code, message: expect.stringContaining(words) });
});

it('leaves other messages to the caller', () => {
  expect(explainRuntimeRefusal('Got invalid dimensions for input: image')).toBeNull();
});
