// A model recognised, rewritten for the machine, and judged.

export { decodingAlone, type DecodingAlone } from '../decoding-alone.ts';
export { feedingTrial, type FeedingTrial } from '../feeding-trial.ts';
export { fitModel, type FittedModel } from '../fit-model.ts';
export { type FittedFile, fittedFileNames, fittedFiles } from '../fitted-files.ts';
export { judgeFitted } from '../judge-fitted.ts';
export { fitFormat } from '../open-fit-source.ts';
export { type OtherChoice, otherChoices } from '../other-choices.ts';
export { type ModelRecognition, recogniseModel } from '../recognise-model.ts';
export type { FitRequest } from '../source/fit-request.ts';
