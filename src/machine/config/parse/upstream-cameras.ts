import { walkCameras } from '../../vision/face/cameras.ts';
import { isCamera, type ConfigEntry, type EntryKind } from './config-entries.ts';
import { isObject } from '../json/json-document.ts';
import { matchingKey } from './parse-attributes.ts';
import { stepsOf } from './parse-transform-step.ts';
import { isDrawing } from './transform-steps.ts';

/** A camera and all that its frames come from, nearest first. A name without an entry, or a circle, ends it. */
export interface UpstreamCameras {
  readonly entries: readonly ConfigEntry[];
  /** the source that has no entry, '' when the chain ends at a camera of its own */
  readonly missing: string;
  readonly circular: boolean;
}

export function upstreamCameras(entries: readonly ConfigEntry[], camera: string): UpstreamCameras {
  const cameras = entries.filter(({ kind }) => isCamera(kind));
  const walk = walkCameras(cameras, camera, (entry) => (entry.kind === 'source-camera' ? null : sourceOf(entry)));
  return { entries: walk.cameras, missing: walk.end === 'missing' ? walk.last : '', circular: walk.end === 'circle' };
}

/** True where the camera itself draws detections or classifications on its frames. */
function drawsResults(entry: ConfigEntry): boolean {
  if (entry.kind !== 'transform-camera') return false;
  return stepsOf(attribute(entry, 'pipeline')).some(({ raw }) => {
    const type = raw[matchingKey(raw, 'type') ?? 'type'];
    return typeof type === 'string' && isDrawing({ type });
  });
}

/**
 * The nearest camera upstream whose frames carry no drawn results: the camera itself when there are none in its whole
 * chain, null when the chain is circular or ends in nothing before a clean camera is reached.
 */
export function nearestCleanCamera(entries: readonly ConfigEntry[], camera: string): string | null {
  const { entries: upstream, missing, circular } = upstreamCameras(entries, camera);
  const lastDrawing = upstream.findLastIndex(drawsResults);
  if (lastDrawing < 0) return camera;
  if (circular) return null;
  return upstream[lastDrawing + 1]?.name || missing || null;
}

/** The cameras that give the data manager only some of their images. */
export const sievingCameras = ['filtered-camera', 'conditional-camera'] as const satisfies readonly EntryKind[];

export const isSieve = ({ kind }: ConfigEntry): boolean => (sievingCameras as readonly EntryKind[]).includes(kind);

/** The camera to record for replay: one with clean frames, and of a camera that keeps only some of them the one whose frames it passes on. */
export function recordedCamera(entries: readonly ConfigEntry[], camera: string): string {
  const clean = nearestCleanCamera(entries, camera) ?? camera;
  const { entries: upstream, missing } = upstreamCameras(entries, clean);
  return upstream.find((entry) => !isSieve(entry))?.name || missing || clean;
}

/** The `source` of a transform camera, the `camera` of a filtered or a conditional one; '' when missing. */
function sourceOf(entry: ConfigEntry): string {
  const source = attribute(entry, entry.kind === 'transform-camera' ? 'source' : 'camera');
  return typeof source === 'string' ? source : '';
}

function attribute(entry: ConfigEntry, key: string): unknown {
  return isObject(entry.attributes) ? entry.attributes[matchingKey(entry.attributes, key) ?? key] : undefined;
}
