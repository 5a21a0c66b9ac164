import { AccountError } from '../../../account/account-error.ts';
import { errorMessage } from '../../../vision/error-words.ts';

export interface WriteFault {
  readonly message: string;
  readonly cure: string;
}

/** A configuration that cannot be taken or written: what is wrong with it, and what to try. */
export class WriteError extends Error {
  override readonly name = 'WriteError';
  readonly cure: string;
  constructor(message: string, cure: string, options?: ErrorOptions) {
    super(message, options);
    this.cure = cure;
  }
}

/** What a person is told of a failure. @param cure of one that knows none */
export function writeFaultOf(error: unknown, cure: string): WriteFault {
  if (error instanceof WriteError || error instanceof AccountError) return { message: error.message, cure: error.cure };
  return { message: errorMessage(error), cure };
}
