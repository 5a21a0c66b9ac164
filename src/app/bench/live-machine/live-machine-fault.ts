import { LinkError } from '../../../live-machine/link-error.ts';
import { errorMessage } from '../../../vision/error-words.ts';

export interface LiveMachineFault {
  readonly message: string;
  readonly cure: string;
}

/** What a person is told of a failure. @param cure of one that knows none */
export function liveMachineFaultOf(error: unknown, cure: string): LiveMachineFault {
  if (error instanceof LinkError) return { message: error.message, cure: error.cure };
  return { message: errorMessage(error), cure };
}
