import { BlobReader, ZipReader, type FileEntry } from '@zip.js/zip.js/lib/zip-core-native.js';
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

/** A file that would unpack to more bytes is refused. */
const largestUnpackedBytes = 2 ** 31;

/**
 * Reads a bench file and verifies every image and model by its hash.
 * @throws BenchFileError
 */
export async function readBenchFile(
  file: Blob,
  sha256: (bytes: Uint8Array<ArrayBuffer>) => Promise<string>,
): Promise<SavedBench> {
  const files = await listBench(file);
  const manifest = parsed(await read(files, 'bench.json'));
  if (manifest['format'] !== 'sightglass-bench') throw notABench('its bench.json has another format');
  const version = manifest['version'];
  if (typeof version !== 'number' || version > benchFileVersion) {
    throw new BenchFileError(
      'newer-version',
      `The bench was saved in version ${String(version)} of the format; this Sightglass reads up to ${benchFileVersion}.`,
    );
  }
  const textAt = async (path: string): Promise<string> => new TextDecoder().decode(await read(files, path));
  const checkedAt = async (path: string, wanted: string): Promise<Uint8Array<ArrayBuffer>> => {
    const content = await read(files, path);
    if ((await sha256(content)) !== wanted) throw damaged(`${path} is not what was saved (its hash differs)`);
    return content;
  };
  const models: SavedModel[] = [];
  for (const model of list(manifest['models'], 'models')) {
    const { file, ...named } = model as unknown as Omit<SavedModel, 'bytes'> & { readonly file: string | null };
    models.push({ ...named, bytes: file === null ? null : await checkedAt(file, named.sha256) });
  }
  const frames: SavedFrame[] = [];
  for (const frame of list(manifest['frames'], 'frames')) {
    frames.push(await readFrame(frame, checkedAt, textAt));
  }
  return {
    savedAtMs: Number(manifest['savedAtMs']),
    environment: manifest['environment'] as BenchEnvironment,
    configText: await textAt('configuration.json'),
    serviceName: (manifest['serviceName'] ?? null) as string | null,
    cameraName: (manifest['cameraName'] ?? null) as string | null,
    models,
    frames,
  };
}

/** Why a file is no saved bench at all, as its list of files tells; null = it may be one, and `readBenchFile` says whether it is whole. */
export async function whyNoBench(file: Blob): Promise<string | null> {
  try {
    await listBench(file);
    return null;
  } catch (error) {
    if (error instanceof BenchFileError) return error.message;
    throw error;
  }
}

/** @throws BenchFileError */
async function listBench(file: Blob): Promise<Files> {
  const files = await listFiles(file);
  if (!files.has('bench.json')) throw notABench('it has no bench.json');
  return files;
}

async function readFrame(
  frame: Record<string, unknown>,
  checkedAt: (path: string, sha256: string) => Promise<Uint8Array<ArrayBuffer>>,
  textAt: (path: string) => Promise<string>,
): Promise<SavedFrame> {
  const { image: imagePath, raw: rawPath, rawOf } = frame;
  const capture = frame['capture'] as Capture | undefined;
  if (typeof imagePath !== 'string' || typeof rawPath !== 'string' || typeof capture?.image?.sha256 !== 'string') {
    throw damaged('a frame of bench.json lacks its image, raw results or description');
  }
  const image = await checkedAt(imagePath, capture.image.sha256);
  const rawText = await textAt(rawPath);
  try {
    const raw = rawResultsFromJson(rawText);
    return { capture, image, raw, rawOf: rawOf === 'image' ? 'image' : 'live-frame' };
  } catch (cause) {
    throw damaged(`${rawPath} cannot be read: ${(cause as Error).message}`, cause);
  }
}

type Files = ReadonlyMap<string, FileEntry>;

async function listFiles(file: Blob): Promise<Files> {
  const reader = new ZipReader(new BlobReader(file), { useWebWorkers: false });
  const entries = await reader.getEntries().catch((cause: unknown) => {
    throw notABench('it is not a zip file, or is cut off', cause);
  });
  const unpackedBytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (unpackedBytes > largestUnpackedBytes) {
    throw new BenchFileError('too-large', 'The file unpacks to more than 2 GiB; nothing of it was read.');
  }
  return new Map(entries.flatMap((entry) => (entry.directory ? [] : [[entry.filename, entry] as const])));
}

/** @throws BenchFileError if the file is missing, or whose content differs from the zip directory */
async function read(files: Files, path: string): Promise<Uint8Array<ArrayBuffer>> {
  const entry = files.get(path);
  if (!entry) throw damaged(`${path} is missing`);
  const bytes = new Uint8Array(entry.uncompressedSize);
  let length = 0;
  const sink = new WritableStream<Uint8Array>({
    write(chunk) {
      if (length + chunk.length > bytes.length) throw new RangeError('it holds more than its directory says');
      bytes.set(chunk, length);
      length += chunk.length;
    },
  });
  try {
    await entry.getData(sink, { useWebWorkers: false, checkSignature: true });
  } catch (cause) {
    throw damaged(`${path} cannot be unpacked: ${(cause as Error).message.replace(/\.$/, '')}`, cause);
  }
  return bytes;
}

function parsed(bytes: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (isObject(value)) return value;
    throw new TypeError('no object');
  } catch (cause) {
    throw damaged('bench.json is not a JSON object', cause);
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
  new BenchFileError('not-a-bench', `This is not a saved bench: ${reason}.`, { cause });
const damaged = (reason: string, cause?: unknown): BenchFileError =>
  new BenchFileError('damaged', `The saved bench is damaged: ${reason}.`, { cause });
