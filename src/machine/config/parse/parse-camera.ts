import { distortionFields, intrinsicFields, transformCameraFields } from './attribute-fields.ts';
import type { ConfigEntry } from './config-entries.ts';
import type { TransformCameraConfig, TransformStep } from './machine-config.ts';
import { joinAttributeErrors, matchingKey, parseAttributes, type AttributeError } from './parse-attributes.ts';
import { parseTransformStep, type Refusal } from './parse-transform-step.ts';
import type { JsonObject } from '../json/json-document.ts';

/** Parses a transform camera, or says why the machine cannot build it, in the order in which it looks. */
export function parseTransformCamera(
  entry: ConfigEntry,
  raw: unknown,
): { camera: TransformCameraConfig | null; refusals: readonly Refusal[] } {
  const refusals: Refusal[] = [];
  const keyOf = (key: string): string => matchingKey(entry.attributes, key) ?? key;
  const check = (errors: readonly AttributeError[], ...inside: string[]): void => {
    if (errors.length === 0) return;
    const path = [...entry.attributesPath, ...inside, ...(errors[0]?.path ?? [])];
    refusals.push({ path, code: 'bad-attributes', message: joinAttributeErrors(errors), refusesAll: true });
  };
  const refuse = (key: string, code: string, message: string): void => {
    refusals.push({ path: [...entry.attributesPath, keyOf(key)], code, message });
  };

  const { value, errors } = parseAttributes(raw, transformCameraFields);
  check(errors);
  const intrinsics = parseNested(value.intrinsic_parameters, intrinsicFields);
  check(intrinsics?.errors ?? [], keyOf('intrinsic_parameters'));
  const distortion = parseNested(value.distortion_parameters, distortionFields);
  check(distortion?.errors ?? [], keyOf('distortion_parameters'));

  if (value.source === '') refuse('source', 'no-source', 'no source camera for the transform pipeline');
  const size = intrinsics?.value;
  if (size && (size.width_px < 0 || size.height_px < 0)) {
    refuse(
      'intrinsic_parameters',
      'negative-size',
      `got illegal negative dimensions for width_px and height_px (${size.width_px}, ${size.height_px})`,
    );
  }
  if (value.pipeline.length === 0 && errors.length === 0) {
    refuse('pipeline', 'empty-pipeline', 'pipeline has no transforms in it');
  }
  const pipeline = value.pipeline.flatMap((step, index): TransformStep[] => {
    const path = [...entry.attributesPath, keyOf('pipeline'), index];
    const parsed = parseTransformStep(step, path, (refusal) => refusals.push(refusal));
    return parsed ? [parsed] : [];
  });
  if (refusals.length > 0) return { camera: null, refusals };
  return {
    refusals,
    camera: {
      kind: 'transform',
      name: entry.name,
      source: value.source,
      pipeline,
      intrinsics: size
        ? { widthPx: size.width_px, heightPx: size.height_px, fx: size.fx, fy: size.fy, ppx: size.ppx, ppy: size.ppy }
        : null,
      distortion: distortion?.value ?? null,
    },
  };
}

function parseNested<F extends typeof intrinsicFields | typeof distortionFields>(raw: JsonObject | null, fields: F) {
  return raw === null ? null : parseAttributes(raw, fields);
}
