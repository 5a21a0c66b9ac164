import { expect, it } from 'vitest';
import { inferenceErrorOf } from './onnxruntime-error.ts';

it('leaves out where ONNX Runtime was built', () => {
  const thrown =
    'failed to call OrtRun(). ERROR_CODE: 2, ERROR_MESSAGE: /mnt/build/_work/1/s/onnxruntime/core/framework/op_kernel.cc:83 ' +
    'virtual OrtValue *onnxruntime::OpKernelContext::OutputMLValue(int, const TensorShape &) ' +
    '[ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Tensor shape is too large';
  expect(inferenceErrorOf(new Error(thrown), 'run').message).toContain(
    '(ONNX Runtime: failed to call OrtRun(). ERROR_CODE: 2, ERROR_MESSAGE: [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : ' +
      'Tensor shape is too large)',
  );
  expect(inferenceErrorOf(new Error('a.cc is no model'), 'load').message).toContain('(ONNX Runtime: a.cc is no model)');
  const unknown = '/mnt/build/model.cc:42 void Check() No Op registered for Foo with domain_version of 9';
  expect(inferenceErrorOf(new Error(unknown), 'load')).toMatchObject({
    code: 'unsupported-operator',
    message: expect.stringContaining('(ONNX Runtime: void Check() No Op registered for Foo'),
  });
});

it.each([
  ['memory access out of bounds', 'runtime', /^The runtime broke off/],
  ['Aborted(). Build with -sASSERTIONS for more info.', 'runtime', /^The runtime broke off/],
  [
    '[ONNXRuntimeError] : 6 : RUNTIME_EXCEPTION : SafeIntOnOverflow() Integer overflow',
    'runtime',
    /^A size that the model computes/,
  ],
  ['Kernel not found for Resize(19)', 'unsupported-operator', /^The model uses an operator/],
])('says what happened where the runtime says only %j', (text, code, words) => {
  expect(inferenceErrorOf(new Error(text), 'run')).toMatchObject({ code, message: expect.stringMatching(words) });
});
