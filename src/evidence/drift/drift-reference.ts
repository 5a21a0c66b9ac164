import type { AnsweredBy } from './compare-frames.ts';
import type { FrameFeatures } from './frame-features.ts';
import type { Cameras } from './same-cameras.ts';

/** A set of frames that later ones are compared with. */
export interface DriftReference {
  /** name that a person gave the reference */
  readonly name: string;
  /** RFC 3339 */
  readonly keptAt: string;
  readonly frames: readonly FrameFeatures[];
  /** null: the reference was kept by an earlier version, which did not record them */
  readonly images: ReferenceImages | null;
  /** the source of the boxes, such as the hash of a service's configuration and models; null: they are as they were stored */
  readonly answeredBy: AnsweredBy;
}

/** Which images a reference was made of. */
export interface ReferenceImages {
  /** digest of the images' names and sizes, in hex: equal only for the same images */
  readonly sha256: string;
  readonly cameras: Cameras;
}

const format = 'sightglass-drift-reference';
const version = 1;

/** A file that is no reference. */
class DriftReferenceError extends Error {
  override readonly name = 'DriftReferenceError';
  readonly code = 'unreadable-reference';
}

/**
 * @param reference to keep
 * @returns its JSON, with its format and version
 * @example
 * const text = writeDriftReference({ name: 'May', keptAt: '2026-05-01T00:00:00Z', frames: [], images: null, answeredBy: null });
 * readDriftReference(text).name; // => 'May'
 */
export function writeDriftReference({ name, keptAt, frames, images, answeredBy }: DriftReference): string {
  return JSON.stringify({ format, version, name, keptAt, images, answeredBy, frames });
}

/**
 * @param text of `writeDriftReference`
 * @returns the reference
 * @throws DriftReferenceError for other files, later versions, and frames that lack what is compared
 * @example
 * readDriftReference('{}'); // throws: not a reference
 */
export function readDriftReference(text: string): DriftReference {
  const file = recordOf(parsed(text), 'The file');
  if (file['format'] !== format)
    throw new DriftReferenceError(
      `The file is not a reference of frames: its "format" is ${shown(file['format'])}, not "${format}". Choose a file that "Keep as reference" wrote.`,
    );
  if (file['version'] !== version)
    throw new DriftReferenceError(
      `The reference has version ${shown(file['version'])}; this Sightglass reads version ${version}. Keep the frames as reference again, or update Sightglass.`,
    );
  const { name, keptAt, frames, answeredBy = null } = file;
  if (typeof name !== 'string' || typeof keptAt !== 'string' || !Array.isArray(frames))
    throw new DriftReferenceError('The reference lacks "name", "keptAt" or "frames". Keep the frames again.');
  if (answeredBy !== null && typeof answeredBy !== 'string')
    throw new DriftReferenceError(`"answeredBy" of the reference is ${shown(answeredBy)}. Keep the frames again.`);
  return { name, keptAt, frames: frames.map(frameOf), images: imagesOf(file['images'] ?? null), answeredBy };
}

function imagesOf(value: unknown): ReferenceImages | null {
  if (value === null) return null;
  const { sha256, cameras } = recordOf(value, '"images" of the reference');
  const isCamera = (camera: unknown): boolean => camera === null || typeof camera === 'string';
  if (typeof sha256 !== 'string' || !Array.isArray(cameras) || !cameras.every(isCamera))
    throw new DriftReferenceError('"images" of the reference lacks "sha256" or "cameras". Keep the frames again.');
  return { sha256, cameras };
}

function frameOf(value: unknown, at: number): FrameFeatures {
  const where = `Frame ${at + 1} of the reference`;
  const { id, name, group, statistics, boxes } = recordOf(value, where);
  if (typeof id !== 'string' || typeof name !== 'string' || typeof group !== 'string' || !Array.isArray(boxes))
    throw new DriftReferenceError(`${where} lacks "id", "name", "group" or "boxes".`);
  return {
    id,
    name,
    group,
    statistics: statistics === null ? null : statisticsOf(statistics, where),
    boxes: boxes.map((box) => {
      const { label, area, score } = recordOf(box, `A box of frame ${at + 1} of the reference`);
      if (typeof label !== 'string') throw new DriftReferenceError(`${where} has a box without a label.`);
      return { label, area: numberOf(area, where), score: score === null ? null : numberOf(score, where) };
    }),
  };
}

function statisticsOf(value: unknown, where: string) {
  const { brightness, contrast, sharpness } = recordOf(value, `"statistics" of ${where}`);
  return {
    brightness: numberOf(brightness, where),
    contrast: numberOf(contrast, where),
    sharpness: numberOf(sharpness, where),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DriftReferenceError(
      `The reference is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
}

function recordOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new DriftReferenceError(`${what} is ${shown(value)}, not an object.`);
}

function numberOf(value: unknown, where: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new DriftReferenceError(`${where} has ${shown(value)} where a number is wanted.`);
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 40);
