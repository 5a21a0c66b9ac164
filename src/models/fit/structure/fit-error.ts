export type FitErrorCode =
  | 'unrecognised' // no family fits; the message says what was seen, and why the nearest do not fit
  | 'other-kind' // neither a detector nor a classifier; the message says what it is
  | 'lost-in-steps' // the file's quantisation has lost what its boxes or scores are made of; the message says what to do
  | 'already-fits' // the machine takes the model as it is
  | 'unknown-family' // a family that is asked for and that there is none of
  | 'not-this-family' // a family that is asked for and that the model is none of
  | 'bad-option' // an option that the family lacks, or a value out of its range
  | 'size-unknown' // the input's size is dynamic and nothing says which the model wants
  | 'labels-mismatch' // more or fewer labels than classes
  | 'opset-too-old' // an operator set that cannot be brought to one with the operators needed
  | 'not-in-tflite' // something that is written for ONNX alone
  | 'too-large'; // above what a file of this format holds

/** Why no machine-ready model was written. The message says what was seen and what to try. */
export class FitError extends Error {
  override readonly name = 'FitError';
  readonly code: FitErrorCode;
  constructor(code: FitErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
