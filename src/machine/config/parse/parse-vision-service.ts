import { mlmodelFields } from './attribute-fields.ts';
import type { ConfigEntry } from './config-entries.ts';
import type { VisionServiceConfig } from './machine-config.ts';
import {
  joinAttributeErrors,
  matchingKey,
  parseAttributes,
  type AttributeError,
  type Attributes,
} from './parse-attributes.ts';
import type { Refusal } from './parse-transform-step.ts';

/** What the machine takes for a missing or empty mean or standard deviation: pixels become −1..1. */
export const defaultNormalization: readonly number[] = [0.5, 0.5, 0.5];

/** Parses an `mlmodel` vision service, or says why the machine cannot build it, in the order in which it looks. */
export function parseVisionService(
  entry: ConfigEntry,
  raw: unknown,
): { service: VisionServiceConfig | null; refusals: readonly Refusal[] } {
  const refusals: Refusal[] = [];
  const refuse = (key: string, code: string, message: string): void => {
    refusals.push({ path: [...entry.attributesPath, matchingKey(entry.attributes, key) ?? key], code, message });
  };
  const { value, errors } = parseAttributes(raw, mlmodelFields);
  if (errors.length > 0) return { service: null, refusals: [badAttributes(entry, errors)] };
  if (value.mlmodel_name === '') refuse('mlmodel_name', 'no-model', 'mlmodel_name cannot be empty');
  for (const key of ['input_image_mean_value', 'input_image_std_dev'] as const) {
    const count = value[key].length;
    if (count > 0 && count < 3) {
      refuse(key, 'too-few-channels', `${key} needs at least 3 values, one for each color channel, got ${count}`);
    }
  }
  // The machine holds the values as float32: what rounds to zero there divides by zero.
  if (value.input_image_std_dev.some((deviation) => Math.fround(deviation) === 0)) {
    refuse('input_image_std_dev', 'zero-deviation', 'input_image_std_dev must not hold 0: it would divide by zero');
  }
  const boxOrder = value.xmin_ymin_xmax_ymax_order;
  if (boxOrder.length > 0 && !isBoxOrder(boxOrder)) {
    refuse(
      'xmin_ymin_xmax_ymax_order',
      'bad-box-order',
      `xmin_ymin_xmax_ymax_order must hold each of 0, 1, 2 and 3 once, got [${boxOrder.join(', ')}]`,
    );
  }
  if (refusals.length > 0) return { service: null, refusals };
  return { refusals, service: serviceOf(entry.name, value) };
}

function serviceOf(name: string, value: Attributes<typeof mlmodelFields>): VisionServiceConfig {
  const boxOrder = value.xmin_ymin_xmax_ymax_order;
  return {
    name,
    mlModelName: value.mlmodel_name,
    cameraName: value.camera_name,
    remapInputNames: value.remap_input_names,
    remapOutputNames: value.remap_output_names,
    boxOrder: isBoxOrder(boxOrder) ? boxOrder : null,
    meanValue: orDefault(value.input_image_mean_value),
    stdDev: orDefault(value.input_image_std_dev),
    bgr: value.input_image_bgr,
    defaultMinimumConfidence: value.default_minimum_confidence,
    labelConfidences: value.label_confidences,
    labelPath: value.label_path,
  };
}

/** A service without attributes, for one of another kind. */
export function plainService(name: string): VisionServiceConfig {
  return serviceOf(name, parseAttributes(null, mlmodelFields).value);
}

/** The refusal of a service whose attributes cannot be read. */
export function badAttributes(entry: ConfigEntry, errors: readonly AttributeError[]): Refusal {
  return {
    path: [...entry.attributesPath, ...(errors[0]?.path ?? [])],
    code: 'bad-attributes',
    message: joinAttributeErrors(errors),
    refusesAll: true,
  };
}

/** True for a permutation of 0, 1, 2, 3. */
export function isBoxOrder(order: readonly number[]): order is [number, number, number, number] {
  return order.length === 4 && [0, 1, 2, 3].every((coordinate) => order.includes(coordinate));
}

function orDefault(values: readonly number[]): readonly number[] {
  return values.length === 0 ? defaultNormalization : values;
}
