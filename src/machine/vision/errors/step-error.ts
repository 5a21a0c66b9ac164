import type { TransformStep } from '../../config/face/machine-config.ts';
import { errorMessage } from './error-message.ts';

/** A transform step failed and the frame was not processed further. `cause` says why. */
export class StepError extends Error {
  override readonly name = 'StepError';
  readonly code = 'step-failed';
  readonly step: number;
  readonly type: TransformStep['type'];
  constructor(step: number, type: TransformStep['type'], cause: unknown) {
    super(`Step ${step + 1} (${type}): ${errorMessage(cause)}`, { cause });
    this.step = step;
    this.type = type;
  }
}
