export type DecodeErrorCode =
  | 'remap-missing-tensor' // remap_output_names points at an output that the model lacks
  | 'tensor-not-found' // no rule finds a tensor for a role
  | 'raw-head' // the outputs are an undecoded detector head, which no renaming turns into boxes
  | 'joined-rows' // one output holds boxes, scores and classes, which no renaming takes apart
  | 'not-numeric' // a tensor of strings where numbers are needed
  | 'uneven-categories' // the score tensor does not divide into runs of categories
  | 'sizes-mismatch' // location, category and score disagree about how many boxes there are
  | 'label-out-of-range' // a category beyond the label list
  | 'label-one-beyond' // the highest category is the one behind the list's last, and category 0 does not occur
  | 'label-count' // a classifier with more or fewer values than labels
  | 'empty-output'; // a classifier without a single value

/** The model's outputs cannot be read as detections or classifications. The message says what was received and what to try. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  readonly code: DecodeErrorCode;
  constructor(code: DecodeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
