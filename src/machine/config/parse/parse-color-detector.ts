import { colorDetectorFields } from './attribute-fields.ts';
import type { ConfigEntry } from './config-entries.ts';
import type { VisionServiceConfig } from './machine-config.ts';
import { parseAttributes } from './parse-attributes.ts';
import { badAttributes, plainService } from './parse-vision-service.ts';
import type { Refusal } from './parse-transform-step.ts';

/**
 * Parses a `color_detector` vision service. Whether the machine builds it is known only once its colour is: `colorService`
 * says, and lint.
 */
export function parseColorDetector(
  entry: ConfigEntry,
  raw: unknown,
): { service: VisionServiceConfig | null; refusals: readonly Refusal[] } {
  const { value: color, errors } = parseAttributes(raw, colorDetectorFields);
  if (errors.length > 0) return { service: null, refusals: [badAttributes(entry, errors)] };
  return { service: { ...plainService(entry.name), cameraName: color.camera_name, color }, refusals: [] };
}
