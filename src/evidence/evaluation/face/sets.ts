// Detections and truth in columns: what everything here is computed from.

export { type Box, DetectionSetBuilder, TruthSetBuilder, type TruthTraits } from '../build-sets.ts';
export type { BoxColumns, DetectionSet, EvaluationSpace, TruthSet } from '../evaluation.ts';
export { LabelNames } from '../label-names.ts';
export { SharedLists } from '../shared-lists.ts';
export { traitsSeen, truthSeen } from '../truth-seen.ts';
