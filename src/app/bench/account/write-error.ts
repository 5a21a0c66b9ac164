import { AccountError } from '../../../remote/account/account-error.ts';
import { errorMessage } from '../../../machine/vision/face/errors.ts';

export interface WriteFault {
  readonly message: string;
  readonly cure: string;
}

/** A configuration cannot be read or written: the message says why, and what to try. */
export class WriteError extends Error {
  override readonly name = 'WriteError';
  readonly cure: string;
  constructor(message: string, cure: string, options?: ErrorOptions) {
    super(message, options);
    this.cure = cure;
  }
}

/**
 * The words for a failure.
 * @param cure what to try if the error itself does not say
 */
export function writeFaultOf(error: unknown, cure: string): WriteFault {
  if (error instanceof WriteError || error instanceof AccountError) return { message: error.message, cure: error.cure };
  return { message: errorMessage(error), cure };
}
