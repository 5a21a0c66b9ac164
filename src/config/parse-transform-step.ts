import { isStepType, stepAttributeFields, stepFields } from './attribute-fields.ts';
import type { TransformStep } from './machine-config.ts';
import { isObject, type JsonObject } from './json-document.ts';
import type { JsonPath } from './json-path.ts';
import { joinAttributeErrors, parseAttributes, type AttributeError } from './parse-attributes.ts';

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
  const attributes = step.attributes ?? {};
  const at = [...path, 'attributes'];
  switch (type) {
    case 'crop':
      return parseCrop(attributes, at, report);
    case 'resize':
      return parseResize(attributes, at, report);
    case 'rotate':
      return parseRotate(attributes, at, report);
    case 'detections': {
      const { value, errors } = parseAttributes(attributes, stepAttributeFields.detections);
      if (errors.length > 0) return refuse(report, at, errors);
      return {
        type,
        attributes: {
          detectorName: value.detector_name,
          confidenceThreshold: value.confidence_threshold,
          validLabels: value.valid_labels,
        },
      };
    }
    case 'classifications': {
      const { value, errors } = parseAttributes(attributes, stepAttributeFields.classifications);
      if (errors.length > 0) return refuse(report, at, errors);
      return {
        type,
        attributes: {
          classifierName: value.classifier_name,
          confidenceThreshold: value.confidence_threshold,
          maxClassifications: value.max_classifications,
          validLabels: value.valid_labels,
        },
      };
    }
  }
}

function parseCrop(attributes: JsonObject, path: JsonPath, report: Report): TransformStep | undefined {
  const { value, errors } = parseAttributes(attributes, stepAttributeFields.crop);
  if (errors.length > 0) return refuse(report, path, errors);
  const { x_min_px: xMin, y_min_px: yMin, x_max_px: xMax, y_max_px: yMax } = value;
  const reason =
    xMin < 0 || yMin < 0
      ? 'cannot set x_min or y_min to a negative number'
      : xMin >= xMax
        ? `cannot crop to 0 width: x_min_px ${xMin} is not below x_max_px ${xMax}`
        : yMin >= yMax
          ? `cannot crop to 0 height: y_min_px ${yMin} is not below y_max_px ${yMax}`
          : '';
  if (reason !== '') {
    report({ path, code: 'bad-crop', message: reason });
    return undefined;
  }
  return { type: 'crop', attributes: { xMin, yMin, xMax, yMax, overlayCropBox: value.overlay_crop_box } };
}

function parseResize(attributes: JsonObject, path: JsonPath, report: Report): TransformStep | undefined {
  const { value, errors } = parseAttributes(attributes, stepAttributeFields.resize);
  if (errors.length > 0) return refuse(report, path, errors);
  const { width_px: widthPx, height_px: heightPx } = value;
  for (const [side, size] of [
    ['width', widthPx],
    ['height', heightPx],
  ] as const) {
    if (size > 0) continue;
    report({ path, code: 'bad-resize', message: `new ${side} of a resize must be above 0, got ${size}` });
    return undefined;
  }
  return { type: 'resize', attributes: { widthPx, heightPx } };
}

function parseRotate(attributes: JsonObject, path: JsonPath, report: Report): TransformStep | undefined {
  const { value, errors } = parseAttributes(attributes, stepAttributeFields.rotate);
  if (errors.length > 0) return refuse(report, path, errors);
  // The machine looks for the exact key when it decides on its default, so "Angle_Degs": 90 still turns by 180.
  const angleDegs = Object.hasOwn(attributes, 'angle_degs') ? value.angle_degs : 180;
  return { type: 'rotate', attributes: { angleDegs } };
}

function refuse(report: Report, path: JsonPath, errors: readonly AttributeError[]): undefined {
  report({
    path: [...path, ...(errors[0]?.path ?? [])],
    code: 'bad-attributes',
    message: joinAttributeErrors(errors),
  });
  return undefined;
}

/** The items of a pipeline that are objects, with their position; other items fail the type check of the pipeline. */
export function stepsOf(pipeline: unknown): readonly { readonly index: number; readonly raw: JsonObject }[] {
  if (!Array.isArray(pipeline)) return [];
  return pipeline.flatMap((raw: unknown, index) => (isObject(raw) ? [{ index, raw }] : []));
}
