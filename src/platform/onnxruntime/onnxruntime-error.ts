import { errorMessage, InferenceError, type InferenceErrorCode } from '../../machine/vision/face/errors.ts';

/** ONNX Runtime throws text only. First match wins. */
const meanings: readonly { readonly pattern: RegExp; readonly code: InferenceErrorCode; readonly words: string }[] = [
  {
    // The last two are what Dawn and DirectX say of a device that is gone.
    pattern: /device (is |was )?(lost|destroyed)|GPUDevice.*(lost|destroyed)|external Instance reference|DXGI_ERROR/i,
    code: 'device-lost',
    words: 'The GPU device went away.',
  },
  {
    pattern:
      /bad_alloc|out of memory|abort\(OOM\)|allocation failed|failed to allocate|could not allocate|invalid array length|tensor shape is too large/i,
    code: 'out-of-memory',
    words: 'There is not enough memory for this model. Close other models or tabs, or take a smaller one.',
  },
  {
    // WASM tells a kernel that wrote outside its memory, or a thread that ended, by these words only.
    pattern:
      /memory access out of bounds|table index is out of bounds|unreachable|aborted\(|RuntimeError: null function/i,
    code: 'runtime',
    words:
      'The runtime broke off: a part of the model is larger, or of another form, than it can hold. Load the model again; if it happens again, take a smaller input size or another backend.',
  },
  {
    pattern: /SafeInt|integer overflow/i,
    code: 'runtime',
    words:
      'A size that the model computes is not possible: a negative or endless one. That is usual where an input of any size gets one that the model was not made for; give it the size of its training.',
  },
  {
    pattern: /external data|failed to load external/i,
    code: 'external-data-missing',
    words: 'The weights are in a file beside the model. Save it as one file (save_as_external_data=False).',
  },
  {
    pattern: /protobuf parsing failed|no graph was found in the protobuf/i,
    code: 'not-onnx',
    words: 'The runtime finds no ONNX model in these bytes.',
  },
  {
    pattern:
      /no op registered|is not a registered function|could not find an implementation|not (yet )?implemented|kernel not found|failed to find kernel|no kernel/i,
    code: 'unsupported-operator',
    words: 'The model uses an operator that the runtime does not have for its types.',
  },
  {
    pattern: /validateopsetfordomain|opset \d+ is under development|unsupported model ir version/i,
    code: 'unsupported-operator',
    words: 'The model is newer than the runtime. Export it with a lower opset_version.',
  },
  {
    pattern: /unexpected input data type|unsupported data type|type error|shader-f16|does not support f16/i,
    code: 'unsupported-dtype',
    words: 'The model meets a data type that cannot be used here.',
  },
  {
    pattern: /invalid dimensions for input|invalid rank for input|shape mismatch|dimension mismatch|broadcast/i,
    code: 'shape-mismatch',
    words: 'The input does not have the shape that the model takes.',
  },
];

/**
 * Leaves out where the line stood on the machine that built ONNX Runtime, and the C++ function where it is told what comes
 * after: nobody here can look there.
 */
const withoutBuild = (text: string): string =>
  text.replace(/\s*\/\S+\.(cc|h|cpp):\d+ (.*?(?=\[ONNXRuntimeError\]))?/s, ' ').trim();

/** Says what ONNX Runtime threw in words, with its own text behind them. */
export function inferenceErrorOf(error: unknown, during: 'load' | 'run'): InferenceError {
  if (error instanceof InferenceError) return error;
  const text = errorMessage(error).trim();
  const meaning = meanings.find(({ pattern }) => pattern.test(text));
  const words =
    meaning?.words ?? (during === 'load' ? 'The model cannot be loaded.' : 'The model failed on this frame.');
  return new InferenceError(meaning?.code ?? 'runtime', `${words} (ONNX Runtime: ${withoutBuild(text)})`, {
    cause: error,
  });
}
