// The machine's configuration: parsed, linted, edited, exported. The package's `sightglass/config`; docs/library.md shows its use.

export { parseMachineConfig, type ParsedMachineConfig } from '../src/machine/config/parse/parse-machine-config.ts';
export type {
  CameraConfig,
  MachineConfig,
  TransformStep,
  VisionServiceConfig,
} from '../src/machine/config/parse/machine-config.ts';

export { lint } from '../src/machine/config/lint/lint.ts';
export { applyFix } from '../src/machine/config/lint/apply-fix.ts';
export type { Finding, Fix, LintFacts, ModelJudge, Severity } from '../src/machine/config/lint/rule/finding.ts';

export {
  setAllLabelConfidences,
  setBgr,
  setBoxOrder,
  setDefaultConfidence,
  setLabelConfidence,
  setMeanStd,
} from '../src/machine/config/edit/edit-config.ts';
export { float32SafeThreshold } from '../src/machine/config/parse/float32-threshold.ts';

export { exportChangedEntries, exportPatch, exportWhole } from '../src/machine/config/share/export-config.ts';
export type { ConfigText, WriteOut } from '../src/machine/config/edit/write-out.ts';
export { withoutSecrets } from '../src/machine/config/share/without-secrets.ts';
