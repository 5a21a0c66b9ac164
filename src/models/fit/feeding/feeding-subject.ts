import type { VisionServiceConfig } from '../../../machine/config/face/machine-config.ts';
import { machineBoxOrder } from '../../../machine/vision/face/results.ts';
import type { InferenceSession } from '../../../machine/vision/face/inference.ts';
import { tensorToFloat64 } from '../../../machine/vision/face/feeding.ts';
import type { PictureSize } from '../../../machine/vision/face/traces.ts';
import { buildVisionService } from '../../../machine/vision/face/filters.ts';
import { feedingTrial, type FitRequest } from '../face/fitting.ts';
import { decodedRows } from '../interpretations/decoded-rows.ts';
import { presentDetections } from '../interpretations/present-interpretation.ts';
import { feedingsToTry } from '../solver/feedings-to-try.ts';
import { presentFeeding } from '../solver/rank-feedings.ts';
import { plainService } from '../solver/try-feedings.ts';
import type { Colours } from './list-recipes.ts';
import { machineFeedings, readyFeedings, type MachineFeeding } from './machine-feedings.ts';
import type { FeedingRecipe } from './recipe.ts';
import type { FedModel } from './recipe-runs.ts';

/** A model whose recipe is searched for, and how the machine can feed it. */
export interface FeedingSubject {
  /** the model that recipes feed: one for trials, or the file as it is */
  readonly model: Uint8Array<ArrayBuffer>;
  readonly kind: 'detections' | 'classifications';
  /** names of the classes; null: numbers */
  readonly labels: readonly string[] | null;
  /** the vision service's attributes for the model's tensors */
  readonly service: VisionServiceConfig;
  readonly reader: FedModel['reader'];
  /** colours and values that are tried, for a model that takes bytes or floats */
  readonly colours: (dtype: 'uint8' | 'float32') => readonly Colours[];
  /** how the machine can feed it, its own feeding first */
  readonly feedings: (of: FedModel, recipe: FeedingRecipe, frame: PictureSize) => readonly MachineFeeding[];
}

/**
 * A model that has to be fitted before the machine takes it.
 * @param source an ONNX or TensorFlow Lite file
 * @param request as for `fitModel`
 * @returns the subject of a search
 * @throws as `fitModel`
 * @example
 * fittedSubject(Uint8Array.of(1), {}); // throws: Error
 */
export function fittedSubject(source: Uint8Array, request: FitRequest): FeedingSubject {
  const trial = feedingTrial(source, request);
  const { model, kind, labels, isFedByOptions } = trial;
  return {
    model,
    kind,
    labels,
    service: plainService,
    reader: kind === 'detections' ? { kind, read: decodedRows } : { kind, read: classes },
    colours: (dtype) => feedingsToTry(presentFeeding(trial), dtype, isFedByOptions),
    feedings: (_, recipe, frame) => machineFeedings(source, request, recipe, frame),
  };
}

const classes: Extract<FedModel['reader'], { kind: 'classifications' }>['read'] = (outputs) => {
  const tensor = outputs.get('probability');
  return tensor ? tensorToFloat64(tensor) : null;
};

/** What a vision service says of its model: how it is fed, and what its tensors are. */
export type ServiceOfModel = Pick<
  VisionServiceConfig,
  'bgr' | 'meanValue' | 'stdDev' | 'boxOrder' | 'remapInputNames' | 'remapOutputNames'
>;

/**
 * A detector that the machine takes as it is, as a service feeds and reads it.
 * @param model an ONNX or TensorFlow Lite file
 * @param said what its vision service says
 * @param labels names of the classes; null: numbers
 * @returns the subject of a search
 * @example
 * const said = { bgr: true, meanValue: [0, 0, 0], stdDev: [1, 1, 1], boxOrder: null, remapInputNames: {}, remapOutputNames: {} };
 * readySubject(Uint8Array.of(1), said, null).colours('uint8').length; // => 2
 */
export function readySubject(
  model: Uint8Array<ArrayBuffer>,
  said: ServiceOfModel,
  labels: readonly string[] | null,
): FeedingSubject {
  const { bgr, meanValue, stdDev, boxOrder, remapInputNames, remapOutputNames } = said;
  const fed = { bgr, meanValue, stdDev };
  const named = (name: string) => Object.entries(remapOutputNames).find(([, to]) => to === name)?.[0] ?? name;
  const names = { location: named('location'), category: named('category'), score: named('score') };
  const as = presentDetections(names, { boxOrder: boxOrder ?? machineBoxOrder, dropsFirstLabel: false });
  return {
    model,
    kind: 'detections',
    labels,
    service: { ...plainService, remapInputNames },
    reader: { kind: 'detections', read: (outputs, sizes) => decodedRows(outputs, sizes, as) },
    colours: (dtype) => feedingsToTry({ ...fed, fit: 'stretch' }, dtype, false),
    feedings: ({ input }, recipe, frame) => {
      const { widthPx, heightPx, dtype } = input;
      const size = widthPx === null || heightPx === null ? null : { widthPx, heightPx };
      return readyFeedings({ model, fed, dtype, input: size }, recipe, frame);
    },
  };
}

/**
 * Puts a subject and the session of its model together.
 * @param session runs `subject.model`
 * @param subject of `fittedSubject` or `readySubject`
 * @returns what a search feeds
 * @throws InferenceError unsupported-dtype, shape-mismatch
 * @example
 * fedModel({ inputs: [] }, { service: { mlModelName: '' } }); // throws: mlmodel_name is empty
 */
export function fedModel(session: InferenceSession, { service, reader }: FeedingSubject): FedModel {
  return { session, input: buildVisionService(service, { session, labels: null }).input, reader };
}
