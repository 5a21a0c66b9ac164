import type { Problem } from '../../../../workers/vision/protocol.ts';

/** Whether a frame has no results as the machine that runs the model is lost, or runs another one by now. */
export function isLostModel({ code }: Problem): boolean {
  return code === 'no-answer' || code === 'model-changed';
}
