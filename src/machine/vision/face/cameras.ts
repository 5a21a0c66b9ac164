// Where a camera's frames come from, and the steps that they take on the way.

export { cameraChain, type CameraChain, type ChainStep } from '../camera-chain.ts';
export {
  checkLens,
  checkMapSize,
  keptUndistortionMap,
  type Lens,
  undistort,
  undistortionMap,
  type UndistortionMap,
} from '../camera-model/undistort.ts';
export { drawsOnTheWay } from '../draws-on-the-way.ts';
export type { PixelWindow } from '../transforms/crop.ts';
export {
  applyPixelStep,
  gpuPassOf,
  isPixelStep,
  type PixelStep,
  sizeAfter,
  stepTrials,
} from '../transforms/pixel-step.ts';
export { rotate } from '../transforms/rotate.ts';
export { walkCameras } from '../walk-cameras.ts';
