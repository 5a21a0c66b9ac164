export type InferenceErrorCode =
  | 'not-onnx' // the bytes are no ONNX model
  | 'not-tflite' // nor, where they begin as one, a TensorFlow Lite model
  | 'external-data-missing' // weights live in a file beside the model that was not given
  | 'unsupported-operator' // operator, domain or opset the runtime does not have
  | 'unsupported-tensor' // an input or output with which the machine's module does not start
  | 'unsupported-dtype' // an input type that the machine refuses (anything but uint8 and float32)
  | 'shape-mismatch'
  | 'unfilled-input' // an input of the model that the machine feeds nothing to, by name or by number
  | 'out-of-memory'
  | 'no-answer' // the live machine that runs the model does not answer, or refuses
  | 'model-changed' // the live machine has built the model anew since it was asked what it takes
  | 'device-lost' // the GPU went away; the session is dead, the model's bytes are not
  | 'runtime'; // anything else that the runtime says

export interface InferenceErrorOptions extends ErrorOptions {
  readonly keptBytes?: number;
}

export class InferenceError extends Error {
  override readonly name = 'InferenceError';
  readonly code: InferenceErrorCode;
  /** about as much memory a runtime keeps of a model that it did not open, bytes */
  readonly keptBytes: number;
  constructor(code: InferenceErrorCode, message: string, { keptBytes = 0, ...options }: InferenceErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.keptBytes = keptBytes;
  }
}
