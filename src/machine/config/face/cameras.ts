// Cameras that stand on other cameras: transforms and filters.

export type { StepAttribute } from '../define-step.ts';
export { type FilteredCamera, filteredCameras } from '../filtered-cameras.ts';
export { type MachineCamera, withMachineCamera } from '../machine-camera.ts';
export { filteredCameraProblems } from '../parse-filtered-camera.ts';
export {
  type ClassificationsAttributes,
  type CropAttributes,
  type DetectionsAttributes,
  type DrawingType,
  isDrawing,
  isRelative,
  isStepType,
  type ResizeAttributes,
  type RotateAttributes,
  stepRecords,
  type StepType,
  stepTypes,
} from '../transform-steps.ts';
export { sievingCameras } from '../upstream-cameras.ts';
