import type { FrameResult } from '../workers/vision/protocol.ts';

/** Timings for a frame in tests where times do not matter. */
export const noTimings: FrameResult['timings'] = {
  decodeMs: 0,
  transformMs: 0,
  preprocessMs: 0,
  modelWaitMs: 0,
  inferenceMs: 0,
  postprocessMs: 0,
  pictureMs: 0,
  totalMs: 0,
};
