// The machine's configuration, parsed.

export { absentModelOf } from '../absent-model.ts';
export type { AttributeSchema } from '../attribute-schema.ts';
export {
  anyCamera,
  type ConfigEntry,
  type EntryKind,
  findEntry,
  listEntries,
  runnableVision,
} from '../config-entries.ts';
export { describesModel, type MeantModel, type ModelMatch, otherModelWords } from '../describes-model.ts';
export {
  besideModel,
  labelFileName,
  labelFileOf,
  modelPathOf,
  modelServiceOf,
  type NamedLabelFile,
} from '../label-file.ts';
export type {
  CameraConfig,
  CameraDistortion,
  CameraIntrinsics,
  FilteredCameraAttributes,
  MachineConfig,
  ModelServiceConfig,
  TransformCameraConfig,
  TransformStep,
  VisionServiceConfig,
} from '../machine-config.ts';
export { type ModelSettings, readModelSettings, withChanges, writeModelSettings } from '../model-settings.ts';
export { type Attributes, matchingKey } from '../parse-attributes.ts';
export { type ParsedMachineConfig, parseMachineConfig, refusalsOfAll } from '../parse-machine-config.ts';
export { camerasBehind, runKey, servicesBehind } from '../run-key.ts';
export { attributeSchemaAt, missingAttributes, valueSuggestions } from '../schema-at.ts';
export { setupOf } from '../setup-of.ts';
export { wholenessOf } from '../wholeness.ts';
