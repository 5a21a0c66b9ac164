import type { CameraConfig, TransformStep } from '../config/face/machine-config.ts';
import { MachineError } from './machine-error.ts';
import { walkCameras } from './walk-cameras.ts';

/** Where a camera's frames come from and what happens to them on the way. */
export interface CameraChain {
  /** the camera at the beginning, which is neither a transform nor a filtered camera */
  readonly sourceName: string;
  /** steps of all transform cameras on the way, in the order of execution */
  readonly steps: readonly ChainStep[];
  /** a built-in webcam is read by a transform camera that does more than pass frames through: odd sizes become even */
  readonly cropsToEven: boolean;
}

export interface ChainStep {
  /** transform camera that the step belongs to, and its place in that camera's pipeline */
  readonly camera: string;
  readonly position: number;
  readonly step: TransformStep;
}

/**
 * Follows a camera to its source, through transform cameras, and through filtered cameras, which pass frames on unchanged.
 * @param cameras all cameras of the configuration
 * @param cameraName the camera whose pictures are wanted
 * @returns the source, and the steps of all transform cameras between it and this camera, in the order of execution
 * @throws MachineError unknown-camera, empty-source, empty-pipeline, camera-cycle
 * @example
 * const cameras = [
 *   { kind: 'source', name: 'webcam' },
 *   { kind: 'transform', name: 'small', source: 'webcam', pipeline: [{ type: 'resize', attributes: { widthPx: 2, heightPx: 1 } }] },
 * ];
 * const { sourceName, steps } = cameraChain(cameras, 'small');
 * sourceName; // => 'webcam'
 * steps.map(({ camera, position }) => [camera, position]); // => [['small', 0]]
 * cameraChain(cameras, 'large'); // throws: There is no camera "large"
 */
export function cameraChain(cameras: readonly CameraConfig[], cameraName: string): CameraChain {
  const walk = walkCameras(cameras, cameraName, (camera) => (camera.kind === 'source' ? null : camera.source));
  for (const camera of walk.cameras) if (camera.kind === 'transform') requireSteps(camera);
  const { last } = walk;
  const names = walk.cameras.map(({ name }) => name);
  if (walk.end === 'circle')
    throw new MachineError('camera-cycle', `Cameras are each other's source: ${[...names, last].join(' ← ')}.`, cameraName); // prettier-ignore
  if (walk.end === 'missing')
    throw new MachineError('unknown-camera', unknownCamera(cameras, last, names.at(-1)), last);
  const steps = walk.cameras.toReversed().flatMap(stepsOf);
  const source = walk.cameras.at(-1)!;
  const reads = steps.some(({ camera, step }) => camera === names.at(-2) && step.type !== '');
  return { sourceName: last, steps, cropsToEven: source.kind === 'source' && source.builtIn === true && reads };
}

function stepsOf(camera: CameraConfig): readonly ChainStep[] {
  if (camera.kind !== 'transform') return [];
  return camera.pipeline.map((step, position) => ({ camera: camera.name, position, step }));
}

function requireSteps({ name, source, pipeline }: CameraConfig & { readonly kind: 'transform' }): void {
  if (source === '')
    throw new MachineError('empty-source', `Transform camera "${name}" has no source; name the camera it transforms.`, name); // prettier-ignore
  if (pipeline.length === 0)
    throw new MachineError('empty-pipeline', `Transform camera "${name}" has an empty pipeline; it needs at least one step.`, name); // prettier-ignore
}

function unknownCamera(cameras: readonly CameraConfig[], name: string, neededBy: string | undefined): string {
  const known = cameras.map((camera) => `"${camera.name}"`).join(', ') || 'none';
  const need = neededBy === undefined ? '' : `, the source of "${neededBy}"`;
  return `There is no camera "${name}"${need}. Cameras in the configuration: ${known}.`;
}
