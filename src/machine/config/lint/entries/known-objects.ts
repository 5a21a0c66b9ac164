import {
  colorDetectorFields,
  conditionalCameraFields,
  distortionFields,
  filteredCameraFields,
  filterServiceFields,
  intrinsicFields,
  mlmodelFields,
  stepFields,
  transformCameraFields,
} from '../../parse/attribute-fields.ts';
import { isObject, valueAt, type JsonObject } from '../../json/json-document.ts';
import type { JsonPath } from '../../json/json-path.ts';
import type { AttributeFields } from '../../parse/parse-attributes.ts';
import { isStepType, stepRecords } from '../../parse/transform-steps.ts';
import {
  attributeOf,
  colorDetectors,
  conditionalCameras,
  filteredCameras,
  filterServices,
  transformCameras,
  transformSteps,
  visionServices,
  type LintContext,
} from '../rule/rule.ts';

/** An object of the configuration whose attributes the bench knows. */
export interface KnownObject {
  readonly path: JsonPath;
  readonly object: JsonObject;
  readonly fields: AttributeFields;
}

/** Every object whose attributes the machine decodes, each with its fields. */
export function* knownObjects(context: LintContext): Iterable<KnownObject> {
  for (const { attributesPath: path, attributes: object } of visionServices(context)) {
    yield { path, object, fields: mlmodelFields };
  }
  for (const { attributesPath: path, attributes: object } of colorDetectors(context)) {
    yield { path, object, fields: colorDetectorFields };
  }
  for (const camera of transformCameras(context)) {
    yield { path: camera.attributesPath, object: camera.attributes, fields: transformCameraFields };
    for (const [key, fields] of [
      ['intrinsic_parameters', intrinsicFields],
      ['distortion_parameters', distortionFields],
    ] as const) {
      const nested = attributeOf(camera, key);
      if (isObject(nested?.value)) yield { path: nested.path, object: nested.value, fields };
    }
  }
  for (const camera of filteredCameras(context)) {
    yield { path: camera.attributesPath, object: camera.attributes, fields: filteredCameraFields };
    for (const service of filterServices(camera)) yield { ...service, fields: filterServiceFields };
  }
  for (const { attributesPath: path, attributes: object } of conditionalCameras(context)) {
    yield { path, object, fields: conditionalCameraFields };
  }
  for (const { path, type, attributesPath, attributes } of transformSteps(context)) {
    const step = valueAt(context.document, path);
    if (isObject(step)) yield { path, object: step, fields: stepFields };
    if (isStepType(type)) yield { path: attributesPath, object: attributes, fields: stepRecords[type].fields };
  }
}
