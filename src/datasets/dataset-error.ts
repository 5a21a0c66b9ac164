/** Why a dataset could not be read or written. Single bad lines are no error: they stand in the DatasetReport. */
export type DatasetErrorCode =
  | 'unknown-format' // no file looks like the start of a dataset
  | 'nothing-imported' // a format was recognised, and not one picture came out
  | 'unreadable-file' // a file that everything hangs on cannot be read or parsed
  | 'unreadable-image' // the bytes of a picture do not come; the message names it
  | 'not-a-zip'
  | 'unsupported-zip' // encrypted, or packed in a way that cannot be read here
  | 'zip-bomb'; // unpacks to more than the limits allow

export class DatasetError extends Error {
  override readonly name = 'DatasetError';
  readonly code: DatasetErrorCode;
  constructor(code: DatasetErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
