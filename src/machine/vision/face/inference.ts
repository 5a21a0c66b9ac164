// The session that runs a model, and what a model says of itself.

export type {
  FrameIntake,
  FrameRunOnGpu,
  InferenceSession,
  InspectedFrame,
  TimesOnGpu,
} from '../inference/inference-session.ts';
export type { GraphOperator, GraphTensor, ModelGraph } from '../inference/model-graph.ts';
export type { ModelFormat, ModelSummary, OnnxFormat, TfliteFormat } from '../inference/model-summary.ts';
export {
  exporterFeedingKey,
  feedingGuessKey,
  fittedFeedingKey,
  letterboxKey,
  statedFeeding,
  type StatedFeeding,
  type TrainedLetterbox,
} from '../inference/stated-feeding.ts';
export { statedSizes, ultralyticsSizeKey } from '../inference/stated-sizes.ts';
export { refuseUnfilledInputs } from '../inference/unfilled-inputs.ts';
export { probe } from '../probe.ts';
