import { errorMessage, InferenceError, type InferenceErrorCode } from '../../machine/vision/face/errors.ts';

/** LiteRT throws and writes text only. First match wins. */
const meanings: readonly { readonly pattern: RegExp; readonly code: InferenceErrorCode; readonly words: string }[] = [
  {
    pattern: /bad_alloc|out of memory|memory allocation|could not allocate|invalid array length/i,
    code: 'out-of-memory',
    words: 'There is not enough memory for this model. Close other models or tabs, or take a smaller one.',
  },
  {
    // WASM tells a kernel that wrote outside its memory, or that ended, by these words only.
    pattern: /memory access out of bounds|table index is out of bounds|unreachable|aborted\(|null function/i,
    code: 'runtime',
    words:
      'The runtime broke off: a part of the model is larger, or of another form, than it can hold. Load the model again; if it happens again, convert it with another converter or another size of its input.',
  },
  {
    pattern: /select tensorflow op|custom op|unresolved|didn't find op|unsupported op|op code/i,
    code: 'unsupported-operator',
    words: 'The model uses an operator that the runtime does not have.',
  },
  {
    pattern: /custom allocation|allocation_type|dynamic/i,
    code: 'shape-mismatch',
    words: 'The size of an output depends on what the model sees, which the runtime has no room for.',
  },
  {
    pattern: /failed to load model|model from buffer|invalid flatbuffer/i,
    code: 'not-tflite',
    words: 'The runtime finds no TensorFlow Lite model in these bytes.',
  },
];

/** Says what LiteRT threw, or wrote before it did, in words, with its own text behind them. */
export function runtimeErrorOf(error: unknown, lines: readonly string[], during: 'load' | 'run'): InferenceError {
  if (error instanceof InferenceError) return error;
  const written = lines.filter((line) => line.startsWith('ERROR'));
  const text = [errorMessage(error), ...written].join(' ').trim();
  const meaning = meanings.find(({ pattern }) => pattern.test(text));
  const words =
    meaning?.words ?? (during === 'load' ? 'The model cannot be loaded.' : 'The model failed on this frame.');
  return new InferenceError(meaning?.code ?? 'runtime', `${words} (LiteRT: ${text})`, { cause: error });
}
