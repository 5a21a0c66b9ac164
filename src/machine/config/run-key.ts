import { walkCameras } from '../vision/face/cameras.ts';
import type { MachineConfig, TransformStep } from './parse/machine-config.ts';
import { isDrawing } from './parse/transform-steps.ts';

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
  const drawn = servicesDrawn(cameras);
  const services = visionServices.map((service) =>
    drawn.has(service.name) ? service : { ...service, defaultMinimumConfidence: 0, labelConfidences: {} },
  );
  return JSON.stringify([cameras, services, ...also]);
}

/**
 * Names the vision services on which a service's results depend.
 * @param config as it was parsed
 * @param visionName the service; null: none
 * @returns its name, and those of the services that a transform step draws
 * @example
 * servicesBehind({ cameras: [], visionServices: [] }, 'v').has('v'); // => true
 */
export function servicesBehind({ cameras }: MachineConfig, visionName: string | null): ReadonlySet<string> {
  const drawn = servicesDrawn(cameras);
  if (visionName !== null) drawn.add(visionName);
  return drawn;
}

/**
 * The cameras on which the pictures of a camera depend.
 * @param config as it was parsed
 * @param cameraName whose pictures are wanted; null: the bare source's
 * @returns that camera and all on the way to its source, as far as they are there
 * @example
 * camerasBehind({ cameras: [{ kind: 'source', name: 'webcam' }], visionServices: [] }, 'webcam').length; // => 1
 */
export function camerasBehind({ cameras }: MachineConfig, cameraName: string | null): MachineConfig['cameras'] {
  if (cameraName === null) return [];
  return walkCameras(cameras, cameraName, (camera) => (camera.kind === 'source' ? null : camera.source)).cameras;
}

function servicesDrawn(cameras: MachineConfig['cameras']): Set<string> {
  const steps = cameras.flatMap((camera) => (camera.kind === 'transform' ? camera.pipeline : []));
  return new Set(steps.flatMap((step) => serviceDrawnBy(step) ?? []));
}

/** The vision service whose results a step draws, null for the other steps. */
function serviceDrawnBy(step: TransformStep): string | null {
  return isDrawing(step) ? step.attributes.serviceName : null;
}
