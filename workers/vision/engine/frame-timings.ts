import type { RunResult } from '../../../src/machine/vision/face/results.ts';
import type { FrameTimings } from '../protocol.ts';

/** The times of a frame's own run, without waiting for the run before it, and of the GPU at each part of it. */
export function frameTimings(
  result: RunResult | null,
  { decodeMs, lastRunMs, pictureMs }: { decodeMs: number; lastRunMs: number; pictureMs: number },
): FrameTimings {
  const { transformMs = 0, preprocessMs = 0, inferenceMs = 0, postprocessMs = 0 } = result?.timings ?? {};
  const ranMs = Math.min(inferenceMs, lastRunMs);
  const { onGpu } = result?.inference ?? {};
  const stepsMs = Math.min(onGpu?.stepsMs ?? 0, ranMs);
  const packMs = Math.min(onGpu?.packMs ?? 0, ranMs - stepsMs);
  return {
    decodeMs,
    transformMs: transformMs + stepsMs,
    preprocessMs: preprocessMs + packMs,
    inferenceMs: ranMs - stepsMs - packMs,
    postprocessMs,
    totalMs: decodeMs + transformMs + preprocessMs + ranMs + postprocessMs,
    modelWaitMs: inferenceMs - ranMs,
    pictureMs,
    ...(result?.placement.packing.where === 'gpu' && { isGpuTimed: onGpu !== undefined }),
  };
}
