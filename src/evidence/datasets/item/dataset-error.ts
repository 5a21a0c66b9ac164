/** Why a dataset could not be read or written. A single bad line does not throw: it is listed in the DatasetReport. */
export type DatasetErrorCode =
  | 'unknown-format' // no file looks like the start of a dataset
  | 'nothing-imported' // the format was recognised, but no picture could be imported
  | 'unreadable-file' // a file that the whole dataset depends on cannot be read or parsed
  | 'unreadable-image' // the bytes of a picture cannot be read; the message names the picture
  | 'not-a-zip'
  | 'unsupported-zip' // encrypted, or compressed by an unsupported method
  | 'zip-bomb'; // unpacks to more than the limits allow

export class DatasetError extends Error {
  override readonly name = 'DatasetError';
  readonly code: DatasetErrorCode;
  constructor(code: DatasetErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
