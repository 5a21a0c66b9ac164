import type { MachineConfig } from '../../machine/config/face/machine-config.ts';
import { isDrawing } from '../../machine/config/face/cameras.ts';
import { cameraChain } from '../../machine/vision/face/cameras.ts';
import type { CertifiedEntry } from './certificate.ts';

/**
 * Takes out of a configuration what decides which boxes a vision service gives for a picture.
 *
 * @param config as it was parsed
 * @param visionName the service
 * @param cameraName the camera that it looks through; null: none
 * @returns null: the configuration has no such service
 * @throws MachineError where the camera's way to its source is broken
 * @example
 * const service = { name: 'finder', mlModelName: 'm', defaultMinimumConfidence: 0.5, labelConfidences: {} };
 * certifiedEntry({ cameras: [], visionServices: [service] }, 'finder', null).steps; // => []
 */
export function certifiedEntry(
  { cameras, visionServices, modelServices = [] }: MachineConfig,
  visionName: string,
  cameraName: string | null,
): CertifiedEntry | null {
  const service = visionServices.find(({ name }) => name === visionName);
  if (!service) return null;
  const chain = cameraName === null ? null : cameraChain(cameras, cameraName);
  const steps = chain?.steps.map(({ step }) => step) ?? [];
  const drawn = new Set(steps.flatMap((step) => (isDrawing(step) ? [step.attributes.serviceName] : [])));
  const drawnServices = visionServices.filter(({ name }) => drawn.has(name));
  const models = new Set([service, ...drawnServices].map(({ mlModelName }) => mlModelName));
  return {
    service,
    camera: cameraName,
    steps,
    cropsToEven: chain?.cropsToEven ?? false,
    drawn: drawnServices,
    modelServices: modelServices.filter(({ name }) => models.has(name)),
  };
}
