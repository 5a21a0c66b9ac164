// The machine's configuration, parsed.

export { absentModelOf } from '../absent-model.ts';
export type { AttributeSchema } from '../parse/attribute-schema.ts';
export {
  anyCamera,
  type ConfigEntry,
  type EntryKind,
  findEntry,
  listEntries,
  runnableVision,
} from '../parse/config-entries.ts';
export { describesModel, type MeantModel, type ModelMatch, otherModelWords } from '../describes-model.ts';
export {
  besideModel,
  labelFileName,
  labelFileOf,
  modelPathOf,
  modelServiceOf,
  type NamedLabelFile,
} from '../parse/label-file.ts';
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
} from '../parse/machine-config.ts';
export { type ModelSettings, readModelSettings, withChanges, writeModelSettings } from '../edit/model-settings.ts';
export { type Attributes, matchingKey } from '../parse/parse-attributes.ts';
export { type ParsedMachineConfig, parseMachineConfig, refusalsOfAll } from '../parse/parse-machine-config.ts';
export { camerasBehind, runKey, servicesBehind } from '../run-key.ts';
export { attributeSchemaAt, missingAttributes, valueSuggestions } from '../parse/schema-at.ts';
export { setupOf } from '../evidence/setup-of.ts';
export { wholenessOf } from '../parse/wholeness.ts';
