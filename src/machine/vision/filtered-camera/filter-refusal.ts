import type { FilteredCameraAttributes } from '../../config/face/machine-config.ts';

export type FilterRefusalCode =
  | 'no-camera'
  | 'no-vision-service'
  | 'two-spellings'
  | 'negative-frequency'
  | 'no-window'
  | 'negative-window'
  | 'two-windows'
  | 'negative-cooldown'
  | 'unnamed-vision-service';

/** Why the module does not build a filtered camera: the attribute, and why. */
export interface FilterRefusal {
  /** path of the attribute; for a service, its place in `vision_services` and its key */
  readonly path: readonly (string | number)[];
  readonly code: FilterRefusalCode;
  readonly message: string;
}

/**
 * Checks the attributes of a filtered camera in the order of its module.
 * @param attributes decoded: 0 and '' where missing, null where a list or a map is missing
 * @returns the first refusal; null: the module builds the camera
 * @example
 * const attributes = { camera: 'cam', vision: 'eyes', vision_services: null, classifications: null, objects: {}, window_seconds: 2, window_seconds_before: 0, window_seconds_after: 0, image_frequency: 0, cooldown_s: -1, debug: false };
 * filterRefusal(attributes).message; // => 'its module refuses cooldown_s -1: negative cooldown'
 * filterRefusal({ ...attributes, cooldown_s: 0 }); // => null
 */
export function filterRefusal(attributes: FilteredCameraAttributes): FilterRefusal | null {
  const { vision, vision_services: services } = attributes;
  const { window_seconds: both, window_seconds_before: before, window_seconds_after: after } = attributes;
  const negative = (['window_seconds', 'window_seconds_before', 'window_seconds_after'] as const).find(
    (key) => attributes[key] < 0,
  );
  const unnamed = vision === '' && services ? services.findIndex((service) => service.vision === '') : -1;
  const checks: readonly (readonly [isRefused: boolean, FilterRefusalCode, keyof FilteredCameraAttributes])[] = [
    [attributes.camera === '', 'no-camera', 'camera'],
    [vision === '' && !services, 'no-vision-service', 'vision_services'],
    [vision !== '' && services !== null, 'two-spellings', 'vision'],
    [attributes.image_frequency < 0, 'negative-frequency', 'image_frequency'],
    [both === 0 && before === 0 && after === 0, 'no-window', 'window_seconds_before'],
    [negative !== undefined, 'negative-window', negative ?? 'window_seconds'],
    [both > 0 && (before > 0 || after > 0), 'two-windows', 'window_seconds'],
    [attributes.cooldown_s < 0, 'negative-cooldown', 'cooldown_s'],
    [unnamed >= 0, 'unnamed-vision-service', 'vision_services'],
  ];
  const refused = checks.find(([isRefused]) => isRefused);
  if (!refused) return null;
  const [, code, key] = refused;
  const isUnnamed = code === 'unnamed-vision-service';
  const value = JSON.stringify(isUnnamed ? unnamed : attributes[key]);
  return {
    path: isUnnamed ? [key, unnamed, 'vision'] : [key],
    code,
    message: `its module refuses ${key} ${value}: ${code.replaceAll('-', ' ')}`,
  };
}
