// A threshold chosen by a goal, and what it promises.

export {
  canChoose,
  chooseThreshold,
  type ThresholdChoice,
  type TooFewUnits,
  type Units,
} from '../choose/choose-threshold.ts';
export { goalFigure, goalText } from '../choose/goal-figure.ts';
export type { Goal } from '../choose/goal.ts';
export { fewestUnits, measuredPictures } from '../choose/measured-pictures.ts';
export {
  type Judgement,
  type JudgingPlan,
  lotOf,
  planJudging,
  precisionJudged,
  strataAround,
  type StrataEdges,
} from '../choose/plan-judging.ts';
export { boundPooledRecall } from '../choose/pooled-recall-bound.ts';
export { type PromisedOf, promiseShare, promiseText, refusedPromiseText } from '../choose/promise-words.ts';
export { boundRecall, type RecallBoundAnswer } from '../choose/recall-bound.ts';
export { spreadOver } from '../choose/spread-over.ts';
export { unitsOf } from '../choose/units.ts';
