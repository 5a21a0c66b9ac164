// What is written: edits, exports, merges, what they are based on.

export { changedSettings } from '../changed-settings.ts';
export {
  addColorDetector,
  type ColorAttributes,
  readColorDetector,
  setColorAttributes,
  setPickedColor,
} from '../edit-color.ts';
export {
  addTransformCamera,
  freeName,
  type ModelAttributes,
  nameLabelFile,
  setAllLabelConfidences,
  setBgr,
  setBoxOrder,
  setCameraName,
  setDefaultConfidence,
  setLabelConfidence,
  setMeanStd,
  setModelAttributes,
  setModelFile,
  setModelService,
  setRemap,
} from '../edit-config.ts';
export {
  addFilteredCamera,
  type FilterLinePlace,
  type FilterNumber,
  setFilterCapture,
  setFilterLine,
  setFilterNumber,
} from '../edit-filtered-camera.ts';
export {
  addStep,
  type DisabledStep,
  type ListedStep,
  listSteps,
  moveStep,
  type PipelineEdit,
  removeStep,
  setStepAttributes,
  switchStep,
} from '../edit-pipeline.ts';
export { addRecorder, changeRecorder, removeRecorder } from '../edit-recorder.ts';
export { shownEvidence } from '../evidence-words.ts';
export { changedResources, exportChangedEntries, exportPatch, exportWhole } from '../export-config.ts';
export { writeFitted } from '../fit-edit.ts';
export { importConfig } from '../import-config.ts';
export { mergeConfig, type MergedConfig } from '../merge-config.ts';
export { sampleConfigText } from '../sample-config.ts';
export { ShareError } from '../share-error.ts';
export {
  isEvidence,
  type LabelEvidence,
  type PresentSetup,
  type ThresholdEvidence,
  withEvidence,
} from '../threshold-evidence.ts';
export { withoutSecrets } from '../without-secrets.ts';
export type { ExportNote, WriteOut } from '../write-out.ts';
