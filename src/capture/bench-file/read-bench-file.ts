import { strFromU8, unzipSync, type Unzipped } from 'fflate';
import type { Capture } from '../capture.ts';
import { rawResultsFromJson } from './raw-results-json.ts';
import {
  BenchFileError,
  benchFileVersion,
  type BenchEnvironment,
  type SavedBench,
  type SavedFrame,
  type SavedModel,
} from './saved-bench.ts';

/** A file that says it unpacks to more is not unpacked. */
const largestUnpackedBytes = 2 ** 31;

/**
 * Reads a bench file and checks that it is whole: every image and model by its hash.
 * @throws BenchFileError
 */
export async function readBenchFile(
  bytes: Uint8Array,
  sha256: (bytes: Uint8Array<ArrayBuffer>) => Promise<string>,
): Promise<SavedBench> {
  const files = unpack(bytes);
  const manifest = parsed(files, 'bench.json');
  if (manifest['format'] !== 'sightglass-bench') throw notABench('its bench.json is of another format');
  const version = manifest['version'];
  if (typeof version !== 'number' || version > benchFileVersion) {
    throw new BenchFileError(
      'newer-version',
      `The bench was saved in version ${String(version)} of the format; this Sightglass reads up to ${benchFileVersion}.`,
    );
  }
  const at = (path: string): Uint8Array<ArrayBuffer> => fileAt(files, path);
  const check = async (path: string, content: Uint8Array<ArrayBuffer>, wanted: string): Promise<void> => {
    if ((await sha256(content)) !== wanted) throw damaged(`${path} is not what was saved (its hash differs)`);
  };
  const models: SavedModel[] = [];
  for (const model of list(manifest['models'], 'models')) {
    const { file, ...named } = model as unknown as Omit<SavedModel, 'bytes'> & { readonly file: string | null };
    const content = file === null ? null : at(file);
    if (file !== null) await check(file, content!, named.sha256);
    models.push({ ...named, bytes: content });
  }
  const frames: SavedFrame[] = [];
  for (const frame of list(manifest['frames'], 'frames')) {
    frames.push(await readFrame(frame, at, check));
  }
  return {
    savedAtMs: Number(manifest['savedAtMs']),
    environment: manifest['environment'] as BenchEnvironment,
    configText: strFromU8(at('configuration.json')),
    serviceName: (manifest['serviceName'] ?? null) as string | null,
    cameraName: (manifest['cameraName'] ?? null) as string | null,
    models,
    frames,
  };
}

async function readFrame(
  frame: Record<string, unknown>,
  at: (path: string) => Uint8Array<ArrayBuffer>,
  check: (path: string, content: Uint8Array<ArrayBuffer>, wanted: string) => Promise<void>,
): Promise<SavedFrame> {
  const { image: imagePath, raw: rawPath, rawOf } = frame;
  const capture = frame['capture'] as Capture | undefined;
  if (typeof imagePath !== 'string' || typeof rawPath !== 'string' || typeof capture?.image?.sha256 !== 'string') {
    throw damaged('a frame of bench.json lacks its image, raw results or description');
  }
  const image = at(imagePath);
  await check(imagePath, image, capture.image.sha256);
  try {
    const raw = rawResultsFromJson(strFromU8(at(rawPath)));
    return { capture, image, raw, rawOf: rawOf === 'image' ? 'image' : 'live-frame' };
  } catch (cause) {
    if (cause instanceof BenchFileError) throw cause;
    throw damaged(`${rawPath} cannot be read: ${(cause as Error).message}`, cause);
  }
}

function unpack(bytes: Uint8Array): Unzipped {
  let unpackedBytes = 0;
  try {
    return unzipSync(bytes, {
      filter({ originalSize }) {
        unpackedBytes += originalSize;
        if (unpackedBytes <= largestUnpackedBytes) return true;
        throw new BenchFileError('too-large', 'The file unpacks to more than 2 GiB; nothing of it was read.');
      },
    });
  } catch (cause) {
    if (cause instanceof BenchFileError) throw cause;
    throw notABench('it is no zip file, or is cut off', cause);
  }
}

function fileAt(files: Unzipped, path: string): Uint8Array<ArrayBuffer> {
  if (Object.hasOwn(files, path)) return files[path] as Uint8Array<ArrayBuffer>;
  throw damaged(`${path} is missing`);
}

function parsed(files: Unzipped, path: string): Record<string, unknown> {
  if (!Object.hasOwn(files, path)) throw notABench(`it has no ${path}`);
  try {
    const value: unknown = JSON.parse(strFromU8(files[path]!));
    if (isObject(value)) return value;
    throw new TypeError('no object');
  } catch (cause) {
    throw damaged(`${path} is no JSON object`, cause);
  }
}

function list(value: unknown, name: string): Record<string, unknown>[] {
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw damaged(`bench.json has no list of ${name}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const notABench = (reason: string, cause?: unknown): BenchFileError =>
  new BenchFileError('not-a-bench', `This is no saved bench: ${reason}.`, { cause });
const damaged = (reason: string, cause?: unknown): BenchFileError =>
  new BenchFileError('damaged', `The saved bench is damaged: ${reason}.`, { cause });
