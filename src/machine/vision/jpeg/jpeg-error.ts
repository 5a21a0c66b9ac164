export type JpegErrorCode =
  | 'damaged' // not what ITU-T T.81 says, or cut off
  | 'unsupported-format'; // a JPEG of a kind that the machine does not decode either

/** Says why bytes became no picture. */
export class JpegError extends Error {
  override readonly name = 'JpegError';
  readonly code: JpegErrorCode;
  constructor(code: JpegErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export function damaged(message: string): JpegError {
  return new JpegError('damaged', message);
}

export function unsupported(message: string): JpegError {
  return new JpegError('unsupported-format', `${message} Save it as a usual baseline or progressive JPEG, or as PNG.`);
}
