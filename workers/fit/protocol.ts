import type { FeedingTrial, FitRequest, FittedModel, OtherChoice } from '../../src/models/fit/face/fitting.ts';
import type { ModuleFinding } from '../../src/models/fit/modules/module-finding.ts';
import type { ModelSource } from '../../src/platform/ports/model-source.ts';

export type { ModuleFinding } from '../../src/models/fit/modules/module-finding.ts';
export type { InputSize } from '../../src/models/fit/face/structure.ts';
export type { OtherChoice } from '../../src/models/fit/face/fitting.ts';
export type { DecodingAlone } from '../../src/models/fit/face/fitting.ts';
export type { OptionSpec, OptionValue, OptionValues } from '../../src/models/fit/face/structure.ts';
export type { ModelRecognition } from '../../src/models/fit/face/fitting.ts';

/** The data that the page and the fit worker exchange; all of it survives structured cloning. */

/** A model that the bench runs. */
export interface FitSource {
  /** SHA-256 of its bytes, in hex */
  readonly modelId: string;
  readonly fileName: string;
  readonly source: ModelSource;
}

/** The options of a fit; all may be left out. */
export type FitWish = Pick<FitRequest, 'family' | 'options' | 'labels' | 'inputSize' | 'frameSize' | 'feedingFound'>;

/** A model to be fed in every usual way. */
export interface TrialModel extends Omit<FeedingTrial, 'model'> {
  readonly model: Blob;
}

/** The result of a fit, without the model's bytes. */
export interface FitReport extends Omit<FittedModel, 'model'> {
  readonly byteLength: number;
  /** names of its files, derived from the source's name */
  readonly names: { readonly model: string; readonly labels: string; readonly machine: string };
  /** problems that the machine's model module has with it; []: it loads */
  readonly findings: readonly ModuleFinding[];
  /** what its numbers may mean instead, to be tried where boxes cannot be right */
  readonly otherChoices: readonly OtherChoice[];
}

export interface FitProgress {
  readonly phase: 'reading' | 'fitting' | 'judging';
  /** 0..1; null: the phase's progress is unknown */
  readonly fraction: number | null;
}
