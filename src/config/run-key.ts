import type { MachineConfig, TransformStep } from './machine-config.ts';
import { isDrawing } from './transform-steps.ts';

/**
 * Makes a text that differs exactly when a frame must be run again: everything that decides pixels, tensors or boxes. The
 * thresholds of a service belong to it only if a transform step draws what that service keeps. Otherwise they filter
 * results that are there, and moving one must neither run a frame nor probe a model.
 * @param config as it was parsed
 * @param also what decides the results besides the configuration, as JSON: the models, the camera, the service
 * @returns equal texts for equal results
 * @example
 * const service = { name: 'v', defaultMinimumConfidence: 0.5, labelConfidences: {} };
 * const key = (change) => runKey({ cameras: [], visionServices: [{ ...service, ...change }] });
 * key({ defaultMinimumConfidence: 0.9 }) === key({}); // => true
 * key({ bgr: true }) === key({}); // => false
 */
export function runKey({ cameras, visionServices }: MachineConfig, ...also: readonly unknown[]): string {
  const steps = cameras.flatMap((camera) => (camera.kind === 'transform' ? camera.pipeline : []));
  const drawn = new Set(steps.map(serviceDrawnBy));
  const services = visionServices.map((service) =>
    drawn.has(service.name) ? service : { ...service, defaultMinimumConfidence: 0, labelConfidences: {} },
  );
  return JSON.stringify([cameras, services, ...also]);
}

/** The vision service whose results a step draws, null for the other steps. */
function serviceDrawnBy(step: TransformStep): string | null {
  return isDrawing(step) ? step.attributes.serviceName : null;
}
