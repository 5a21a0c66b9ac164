// Data capture, and what it costs.

export {
  captureCost,
  type CaptureCost,
  costWords,
  hourWords,
  rateWords,
  type SeenPictures,
} from '../edit/capture-cost.ts';
export { dataManagers, deciderWords } from '../edit/data-capture.ts';
export {
  hasNoScores,
  type Recorder,
  recorderOf,
  recorders,
  type RecorderSettings,
  usualRecorder,
  usualThreshold,
} from '../edit/recorder.ts';
