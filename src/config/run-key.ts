import type { MachineConfig, TransformStep } from './machine-config.ts';
import { isDrawing } from './transform-steps.ts';

/**
 * Text that differs exactly where a frame must be run again: all that decides pixels, tensors or boxes. The thresholds of
 * a service belong to it only where a transform step draws what that service keeps; elsewhere they filter again what is
 * there, and moving one must neither run a frame nor probe a model.
 *
 * @param also what decides the results beside the configuration, as JSON has it: the models, the camera, the service
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
