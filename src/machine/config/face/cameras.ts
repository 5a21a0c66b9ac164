// Cameras that stand on other cameras: transforms and filters.

export type { StepAttribute } from '../parse/define-step.ts';
export { type FilteredCamera, filteredCameras } from '../edit/filtered-cameras.ts';
export { type MachineCamera, withMachineCamera } from '../parse/machine-camera.ts';
export { filteredCameraProblems } from '../parse/parse-filtered-camera.ts';
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
} from '../parse/transform-steps.ts';
export { sievingCameras } from '../parse/upstream-cameras.ts';
