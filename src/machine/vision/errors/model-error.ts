/** Why a model cannot run here or on the machine. The codes are a subset of InferenceErrorCode. */
export type ModelErrorCode =
  | 'not-onnx' // the bytes are no ONNX model; the message says what they look like
  | 'not-tflite' // the bytes begin as a TensorFlow Lite model does and are none
  | 'external-data-missing' // weights live in files beside the model; the message names them
  | 'unsupported-operator' // operator, domain or opset that the runtime does not have
  | 'unsupported-tensor' // an input or output with which the machine's module does not start
  | 'unsupported-dtype'; // a first input that the machine does not fill

export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;
  constructor(code: ModelErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
