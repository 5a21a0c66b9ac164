// Data capture, and what it costs.

export { captureCost, type CaptureCost, costWords, hourWords, rateWords, type SeenPictures } from '../capture-cost.ts';
export { dataManagers, deciderWords } from '../data-capture.ts';
export {
  hasNoScores,
  type Recorder,
  recorderOf,
  recorders,
  type RecorderSettings,
  usualRecorder,
  usualThreshold,
} from '../recorder.ts';
