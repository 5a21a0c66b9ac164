import type { FittedModel } from '../../src/fit/fit-model.ts';
import type { FitRequest } from '../../src/fit/prepare-fit.ts';
import type { ModuleFinding } from '../../src/fit/modules/module-finding.ts';
import type { ModelSource } from '../../src/ports/model-source.ts';

export type { ModuleFinding } from '../../src/fit/modules/module-finding.ts';
export type { DecodingAlone } from '../../src/fit/decoding-alone.ts';
export type { OptionSpec, OptionValue, OptionValues } from '../../src/fit/options.ts';
export type { ModelRecognition } from '../../src/fit/recognise-model.ts';

/** What crosses between the page and the fit worker. Everything here survives structured cloning. */

/** A model that the bench runs. */
export interface FitSource {
  /** SHA-256 of its bytes, in hex */
  readonly modelId: string;
  readonly fileName: string;
  readonly source: ModelSource;
}

/** What is wanted; all may be left out. */
export type FitWish = Pick<FitRequest, 'family' | 'options' | 'labels' | 'inputSize'>;

/** What was written, without its bytes. */
export interface FitReport extends Omit<FittedModel, 'model'> {
  readonly byteLength: number;
  /** names of its files, after the source's */
  readonly names: { readonly model: string; readonly labels: string; readonly machine: string };
  /** what the machine's model module makes of it; [] = it loads */
  readonly findings: readonly ModuleFinding[];
}

export interface FitProgress {
  readonly phase: 'reading' | 'fitting' | 'judging';
  /** 0..1, or null where the phase has no measure */
  readonly fraction: number | null;
}
