import { LinkError } from '../../../remote/live-machine/link-error.ts';
import { errorMessage } from '../../../machine/vision/face/errors.ts';

export interface LiveMachineFault {
  readonly message: string;
  readonly cure: string;
}

/**
 * The words for a failure.
 * @param cure what to try if the error itself does not say
 */
export function liveMachineFaultOf(error: unknown, cure: string): LiveMachineFault {
  if (error instanceof LinkError) return { message: error.message, cure: error.cure };
  return { message: errorMessage(error), cure };
}
