import { stepFields } from './attribute-fields.ts';
import type { TransformStep } from './machine-config.ts';
import { isObject, type JsonObject } from '../json/json-document.ts';
import type { JsonPath } from '../json/json-path.ts';
import { joinAttributeErrors, parseAttributes, type AttributeError } from './parse-attributes.ts';
import { isStepType, stepRecords } from './transform-steps.ts';

export interface Refusal {
  readonly path: JsonPath;
  readonly code: string;
  readonly message: string;
  /** the machine refuses the whole configuration for it */
  readonly refusesAll?: true;
}

type Report = (refusal: Refusal) => void;

/** Older versions of the machine's runtime had these; the present one refuses them. */
export const removedStepTypes: readonly string[] = [
  'identity',
  'undistort',
  'overlay',
  'depth_edges',
  'depth_preprocess',
  'depth_to_pretty',
  'segmentations',
];

/** Parses one step of a transform camera, or reports why the machine refuses it (viamrobotics/rdk, components/camera/transformpipeline). */
export function parseTransformStep(raw: JsonObject, path: JsonPath, report: Report): TransformStep | undefined {
  const { value: step, errors } = parseAttributes(raw, stepFields);
  // Type and attributes of a step are decoded with the configuration; what stands in the attributes, with the camera.
  if (errors.length > 0) return refuse((refusal) => report({ ...refusal, refusesAll: true }), path, errors);
  const { type } = step;
  if (type === '') return { type };
  if (!isStepType(type)) {
    const past = removedStepTypes.includes(type) ? ' (older versions had it)' : '';
    report({ path: [...path, 'type'], code: 'unknown-transform', message: `unknown transform "${type}"${past}` });
    return undefined;
  }
  const parsed = stepRecords[type].parse(step.attributes ?? {});
  if (!('code' in parsed)) return parsed;
  report({ ...parsed, path: [...path, 'attributes', ...parsed.path] });
  return undefined;
}

function refuse(report: Report, path: JsonPath, errors: readonly AttributeError[]): undefined {
  report({ path: [...path, ...(errors[0]?.path ?? [])], code: 'bad-attributes', message: joinAttributeErrors(errors) });
  return undefined;
}

/** The items of a pipeline that are objects, with their position; other items fail the type check of the pipeline. */
export function stepsOf(pipeline: unknown): readonly { readonly index: number; readonly raw: JsonObject }[] {
  if (!Array.isArray(pipeline)) return [];
  return pipeline.flatMap((raw: unknown, index) => (isObject(raw) ? [{ index, raw }] : []));
}
