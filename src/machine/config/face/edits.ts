// What is written: edits, exports, merges, what they are based on.

export { changedSettings } from '../edit/changed-settings.ts';
export {
  addColorDetector,
  type ColorAttributes,
  readColorDetector,
  setColorAttributes,
  setPickedColor,
} from '../edit/edit-color.ts';
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
} from '../edit/edit-config.ts';
export {
  addFilteredCamera,
  type FilterLinePlace,
  type FilterNumber,
  setFilterCapture,
  setFilterLine,
  setFilterNumber,
} from '../edit/edit-filtered-camera.ts';
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
} from '../edit/edit-pipeline.ts';
export { addRecorder, changeRecorder, removeRecorder } from '../edit/edit-recorder.ts';
export { shownEvidence } from '../evidence/evidence-words.ts';
export { changedResources, exportChangedEntries, exportPatch, exportWhole } from '../share/export-config.ts';
export { writeFitted } from '../edit/fit-edit.ts';
export { importConfig } from '../share/import-config.ts';
export { mergeConfig, type MergedConfig } from '../edit/merge-config.ts';
export { sampleConfigText } from '../share/sample-config.ts';
export { ShareError } from '../share/share-error.ts';
export {
  isEvidence,
  type LabelEvidence,
  type PresentSetup,
  type ThresholdEvidence,
  withEvidence,
} from '../evidence/threshold-evidence.ts';
export { withoutSecrets } from '../share/without-secrets.ts';
export type { ExportNote, WriteOut } from '../edit/write-out.ts';
