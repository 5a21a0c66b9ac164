import { decodeModel, embedExternalData, encodeModel, readModel } from '../../../src/models/onnx/face/model-files.ts';
import type { LoadProgress } from '../protocol.ts';
import type { ModelSource } from '../../../src/platform/ports/model-source.ts';
import type { ModelStore } from '../../../src/platform/ports/model-store.ts';
import { bytesFor, refuseVastModel } from './refuse-vast-models.ts';

export type ModelSourceErrorCode =
  | 'network' // the host cannot be reached, or does not let pages of other origins read
  | 'http' // the host answered with an error
  | 'not-stored' // browser storage no longer has it
  | 'unreadable'; // the file went away or changed since it was chosen

/** The model's bytes could not be read. */
class ModelSourceError extends Error {
  override readonly name = 'ModelSourceError';
  readonly code: ModelSourceErrorCode;
  constructor(code: ModelSourceErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export interface ModelFile {
  readonly fileName: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface ModelSourceAccess {
  readonly store: ModelStore;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** URL of the app's own files */
  readonly documentBase: string;
}

/**
 * Reads a model's bytes from a file, storage or a URL, and reports its progress.
 * @throws ModelSourceError; ModelError if the files beside it are not those that it names; InferenceError out-of-memory; the
 *   signal's reason when it aborts
 */
export async function readModelSource(
  source: ModelSource,
  { store, fetch, documentBase }: ModelSourceAccess,
  onProgress: (progress: LoadProgress) => void,
  signal: AbortSignal,
): Promise<ModelFile> {
  signal.throwIfAborted();
  const download = async (url: string) => {
    const response = await request(url, fetch, signal);
    const expectedBytes = Number(response.headers.get('content-length')) || null;
    refuseVastModel(expectedBytes ?? 0);
    return collect(response.body, expectedBytes, onProgress, signal);
  };
  const open = async (blob: Blob) => {
    const into = bytesFor(blob.size);
    return collect(blob.stream(), blob.size, onProgress, signal, into);
  };
  switch (source.kind) {
    case 'file': {
      refuseVastModel(source.file.size);
      const file = { fileName: source.file.name, bytes: await open(source.file) };
      return source.beside?.length ? withWeights(file, source.beside, open) : file;
    }
    case 'builtin': {
      const fileName = `${source.id}.onnx`;
      return { fileName, bytes: await download(new URL(`builtin/models/${fileName}`, documentBase).href) };
    }
    case 'url':
      return { fileName: fileNameOf(source.url), bytes: await download(source.url) };
    case 'stored': {
      const stored = await store.read(source.sha256);
      if (!stored) throw new ModelSourceError('not-stored', 'This browser no longer keeps that model. Load it again.');
      refuseVastModel(stored.blob.size);
      return { fileName: stored.fileName, bytes: await open(stored.blob) };
    }
  }
}

/**
 * Merges weights that a model keeps in files beside it into the model, so that it is a single file from here on.
 */
async function withWeights(
  { fileName, bytes }: ModelFile,
  beside: readonly File[],
  open: (blob: Blob) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<ModelFile> {
  const named = readModel(bytes, fileName).externalFiles.map((path) => path.split(/[/\\]/).at(-1));
  if (named.length === 0) return { fileName, bytes };
  const files: Record<string, Uint8Array> = {};
  const weights = beside.filter(({ name }) => named.includes(name));
  refuseVastModel(weights.reduce((sum, { size }) => sum + size, bytes.length));
  for (const file of weights) files[file.name] = await open(file);
  const model = decodeModel(bytes);
  embedExternalData(model.graph, files);
  return { fileName, bytes: encodeModel(model) };
}

async function request(url: string, fetch: ModelSourceAccess['fetch'], signal: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { signal, credentials: 'omit' });
  } catch (error) {
    signal.throwIfAborted();
    // Browsers do not tell a page whether the network failed or Access-Control-Allow-Origin is missing.
    throw new ModelSourceError(
      'network',
      `${url} cannot be read from this page: the host is out of reach, or it does not allow other sites to read it (CORS). ` +
        'Download the file and drop it here.',
      { cause: error },
    );
  }
  if (!response.ok) {
    throw new ModelSourceError('http', `${url} answered ${response.status} ${response.statusText}`.trimEnd() + '.');
  }
  return response;
}

/** `into`: memory of the size of the stream, where that is known for sure: nothing is held twice. */
async function collect(
  stream: ReadableStream<Uint8Array> | null,
  expectedBytes: number | null,
  onProgress: (progress: LoadProgress) => void,
  signal: AbortSignal,
  into: Uint8Array<ArrayBuffer> | null = null,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let byteLength = 0;
  try {
    const reader = stream?.getReader();
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      if (into) into.set(part.value, byteLength);
      else chunks.push(part.value);
      byteLength += part.value.length;
      // A compressed response can be longer than its content-length.
      onProgress({ phase: 'reading', fraction: expectedBytes && Math.min(1, byteLength / expectedBytes) });
      if (signal.aborted) await reader?.cancel();
      signal.throwIfAborted();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new ModelSourceError(
      'unreadable',
      `Reading the model stopped after ${byteLength} bytes: ${(error as Error).message}`,
      { cause: error },
    );
  }
  if (into) return into;
  const bytes = bytesFor(byteLength);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function fileNameOf(url: string): string {
  const { pathname, hostname } = new URL(url);
  return decodeURIComponent(pathname.split('/').at(-1) || hostname);
}
