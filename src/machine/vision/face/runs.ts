// A frame's whole way, and on what it runs.

export {
  type AnyFrame,
  type GpuFrame,
  type GpuWork,
  offGpu,
  pixelsOf,
  toGpu,
  uploadOf,
  withStep,
} from '../gpu/gpu-frame.ts';
export {
  closePictures,
  type DrawnPictures,
  type GpuLook,
  longestSideWithin,
  type Look,
  lookSize,
  takePicture,
} from '../gpu/looks.ts';
export { machineFilter, machineRuntime } from '../machine-runtime.ts';
export { createMachine, type FrameRequest, type FrameRun, type Machine } from '../machine.ts';
export {
  decodeFrameClassifications,
  decodeFrameDetections,
  drawResults,
  infer,
  type InferencePorts,
  type PipelinePorts,
} from '../pipeline.ts';
export { type Placed, type Placement, placeRun } from '../placement.ts';
