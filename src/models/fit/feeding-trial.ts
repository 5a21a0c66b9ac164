import { asUnits, type Preprocessing } from './structure/family.ts';
import { fitModel, type FittedModel } from './fit-model.ts';
import type { FitRequest } from './source/fit-request.ts';
import type { OptionValues } from './structure/options.ts';
import { prepareFit } from './prepare-fit.ts';

/** A fitted model that can be fed in every usual way: its vision service's attributes alone say how. */
export interface FeedingTrial extends Pick<FittedModel, 'model' | 'kind' | 'labels'> {
  /** how it would be fed without a word from pictures */
  readonly preprocessing: Preprocessing;
  /** frames keep their proportions, with a border, before they are fed; else they are stretched */
  readonly isPadded: boolean;
  /** options say how it is fed, which know fewer ranges than a service's attributes do */
  readonly isFedByOptions: boolean;
}

/**
 * Writes a model as `fitModel` does, but with none of its feeding in the graph: no border, no mean, no cast of bytes.
 * @param bytes an ONNX or TensorFlow Lite file
 * @param request as for `fitModel`
 * @returns a model for trials of its feeding, never for the machine
 * @throws as `fitModel`
 * @example
 * feedingTrial(Uint8Array.of(1, 2, 3), {}); // throws: Error
 */
export function feedingTrial(bytes: Uint8Array, request: FitRequest): FeedingTrial {
  const { candidates, options, optionSpecs, preprocessing } = prepareFit(bytes, request);
  const has = (option: string) => optionSpecs.some(({ key }) => key === option);
  const neutral: OptionValues = { letterbox: 'stretch', colour: 'rgb', values: '0..1' };
  const [{ family }] = candidates;
  const { model, kind, labels } = fitModel(bytes, {
    ...request,
    family: family.id,
    options: { ...request.options, ...Object.fromEntries(Object.entries(neutral).filter(([key]) => has(key))) },
    preprocessing: { colour: 'rgb', ...asUnits },
  });
  return {
    model,
    kind,
    labels,
    preprocessing,
    isPadded: options['letterbox'] === 'pad',
    isFedByOptions: has('values'),
  };
}
