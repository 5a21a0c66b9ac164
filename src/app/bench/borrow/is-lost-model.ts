import type { Problem } from '../../../../workers/vision/protocol.ts';

/**
 * Whether a frame has no results because the machine that runs the model is unreachable, or runs another model by
 * now.
 */
export function isLostModel({ code }: Problem): boolean {
  return code === 'no-answer' || code === 'model-changed';
}
