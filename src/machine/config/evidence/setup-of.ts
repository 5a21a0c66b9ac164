import type { PresentSetup } from './threshold-evidence.ts';
import { isDrawing } from '../parse/transform-steps.ts';

/**
 * A short text that differs where a vision service would give other scores or boxes for the same model and picture:
 * by its attributes other than thresholds, its labels, its camera's steps and the services that these draw.
 *
 * @param present what is in force now; its model does not count
 * @returns 16 characters
 * @example setupOf({ config: { cameras: [], visionServices: [] }, visionName: null, steps: [], labels: null }).length; // => 16
 */
export function setupOf({ config, visionName, steps, labels }: Omit<PresentSetup, 'sha256'>): string {
  const { visionServices } = config;
  const drawn = new Set(steps.flatMap((step) => (isDrawing(step) ? [step.attributes.serviceName] : [])));
  const service = visionServices.find(({ name }) => name === visionName) ?? null;
  const tuned = service && { ...service, defaultMinimumConfidence: 0, labelConfidences: {} };
  const drawing = visionServices.filter(({ name }) => drawn.has(name));
  return hashOf(JSON.stringify([tuned, steps, drawing, labels]));
}

/** Two FNV-1a hashes of 32 bits with different beginnings, in hex. */
function hashOf(text: string): string {
  let [first, second] = [0x811c9dc5, 0xcbf29ce4];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second ^ (code + at), 0x01000193);
  }
  return [first, second].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
