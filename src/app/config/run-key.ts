import type { MachineConfig, TransformStep } from '../../config/machine-config.ts';

/**
 * Text that differs exactly where a frame must be run again: all that decides pixels, tensors or boxes. The thresholds
 * of a service belong to it only where a transform step draws what that service keeps.
 */
export function runKey({ cameras, visionServices }: MachineConfig): string {
  const drawn = new Set(
    cameras.flatMap((camera) => (camera.kind === 'transform' ? camera.pipeline.map(resultsDrawnBy) : [])),
  );
  const services = visionServices.map((service) =>
    drawn.has(service.name) ? service : { ...service, defaultMinimumConfidence: 0, labelConfidences: {} },
  );
  return JSON.stringify([cameras, services]);
}

/** The vision service whose results a step draws, '' for the other steps. */
function resultsDrawnBy(step: TransformStep): string {
  switch (step.type) {
    case 'detections':
      return step.attributes.detectorName;
    case 'classifications':
      return step.attributes.classifierName;
    default:
      return '';
  }
}
