import { Code, ConnectError } from '@connectrpc/connect';
import type { Principal } from '../ports/principal.ts';
import { requireBinaryAccess } from '../access/require-access.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { BinaryRecord } from '../ports/stored-captures.ts';
import type { DefectLog } from '../ports/defect-log.ts';
import type { ByteRange } from '../ports/blob-store.ts';
import { rangeBytes } from '../ports/range-bytes.ts';
import { openFile, provenBytes, type FileStores } from '../ports/read-file.ts';
import { StoreError } from '../ports/store-error.ts';
import { damagedFileText } from '../wire/answer-errors.ts';
import { organizationOf } from '../wire/binary-data-id.ts';
import { notFound } from '../ports/store-refusals.ts';
import { exportedDataset, exportResponse, exportsPath } from '../sequences/export/export-download.ts';
import { requestedRange } from './byte-range.ts';
import { downloadPath, idOfPath } from '../wire/download-address.ts';
import { checkSignedUrl, signedPath } from '../access/signed-url.ts';
import { safeFileName } from '../wire/file-names.ts';

interface DownloadDependencies extends Pick<DataServiceDependencies, 'store' | 'clock' | 'secrets'> {
  /**
   * Authenticates a request by its headers.
   * @throws ConnectError Unauthenticated, or ResourceExhausted
   */
  readonly authenticate: (header: Headers) => Promise<Principal>;
}

/** A request for a file, from any HTTP server or service worker. */
export interface DownloadRequest {
  readonly method: string;
  /** path and query as received, not decoded */
  readonly pathAndQuery: string;
  readonly header: Headers;
  /** the use that a browser makes of it, by `Sec-Fetch-Dest` (W3C Fetch Metadata); '': not sent */
  readonly destination: string;
  /** aborts once the client is gone, which ends the making of an export */
  readonly signal?: AbortSignal;
}

export interface DownloadResponse {
  readonly status: number;
  readonly header: Headers;
  /** null: no body. If reading it fails midway, the connection must be cut, not ended. */
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** Whether a path is that of a file or an export, so that a host passes the request to `download`. */
export const isDownload = (path: string): boolean =>
  [downloadPath, signedPath, exportsPath].some((base) => path.startsWith(base));

/**
 * Answers GET and HEAD of a file or an export: by signed URL without credentials, or, for a file, by its `uri` with a token or the
 * headers `key_id` and `key`.
 * @param dependencies store, clock, cryptography, limits, and who authenticates
 * @param request method, path and headers
 * @returns the response; 401, 403, 404, 405, 410, 416 and 429 say in words why there is no file
 * @example
 * (await download({}, { method: 'POST', destination: '', pathAndQuery: '/' })).status; // => 405
 */
export async function download(
  dependencies: DownloadDependencies,
  request: DownloadRequest,
): Promise<DownloadResponse> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return refusal(405, 'A file is fetched by GET.', { allow: 'GET, HEAD' });
  }
  if (runs.has(request.destination)) {
    return refusal(403, `A stored file is data: no page takes it as its ${request.destination}.`);
  }
  if (request.pathAndQuery.startsWith(exportsPath)) return exportBySignature(dependencies, request);
  const found = request.pathAndQuery.startsWith(signedPath)
    ? await bySignature(dependencies, request)
    : await byCredentials(dependencies, request);
  return 'status' in found ? found : fileResponse(dependencies, found, request);
}

async function bySignature(
  dependencies: DownloadDependencies,
  { pathAndQuery }: DownloadRequest,
): Promise<BinaryRecord | DownloadResponse> {
  const check = await checkSignedUrl(dependencies, signedPath, pathAndQuery, dependencies.clock.now());
  if (check.outcome !== 'valid') return refusedUrls[check.outcome]();
  return (await recordOf(dependencies, check.id)) ?? gone();
}

async function exportBySignature(
  dependencies: DownloadDependencies,
  { method, pathAndQuery, signal = new AbortController().signal }: DownloadRequest,
): Promise<DownloadResponse> {
  const check = await checkSignedUrl(dependencies, exportsPath, pathAndQuery, dependencies.clock.now());
  if (check.outcome !== 'valid') return refusedUrls[check.outcome]();
  const dataset = await exportedDataset(dependencies.store, check.id);
  return dataset === null ? gone() : exportResponse(dependencies.store, dataset, method, signal);
}

const refusedUrls = {
  forged: () => refusal(403, 'The signature does not fit this URL; ask for a new one.'),
  expired: () => refusal(410, 'This URL has expired; ask for a new one.'),
  revoked: () =>
    refusal(
      410,
      'Whoever made this URL no longer has access: a key that was revoked, or a person who was removed or has another place or role. Ask for a new one.',
    ),
};

async function byCredentials(
  dependencies: DownloadDependencies,
  { pathAndQuery, header }: DownloadRequest,
): Promise<BinaryRecord | DownloadResponse> {
  const id = idOfPath(downloadPath, pathAndQuery.split('?')[0]!);
  if (id === null) return gone();
  try {
    await requireBinaryAccess(dependencies.store, await dependencies.authenticate(header), [id]);
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    return refusedAccess(error);
  }
  return (await recordOf(dependencies, id)) ?? gone();
}

function refusedAccess({ code, rawMessage, metadata }: ConnectError): DownloadResponse {
  switch (code) {
    case Code.Unauthenticated:
      return refusal(401, rawMessage, { 'www-authenticate': 'Bearer' });
    case Code.ResourceExhausted:
      return refusal(429, rawMessage, { 'retry-after': metadata.get('retry-after') ?? '60' });
    default:
      return refusal(403, rawMessage);
  }
}

async function recordOf({ store }: DownloadDependencies, id: string): Promise<BinaryRecord | null> {
  const [record] = await store.binary.get(organizationOf(id), [id]);
  return record ?? null;
}

function fileResponse(
  { store }: DownloadDependencies,
  record: BinaryRecord,
  { method, header }: DownloadRequest,
): DownloadResponse {
  const headers = fileHeaders(record);
  const etag = headers.get('etag')!;
  if (isKnown(header.get('if-none-match'), etag)) return { status: 304, header: headers, body: null };
  const unchanged = [null, etag].includes(header.get('if-range'));
  // HEAD has no ranges (RFC 9110, section 14.2)
  const range = unchanged && method === 'GET' ? requestedRange(header.get('range'), record.sizeBytes) : 'whole';
  if (range === 'unsatisfiable') {
    const bounds = { 'content-range': `bytes */${record.sizeBytes}` };
    return refusal(416, `The file has ${record.sizeBytes} bytes; ask for a range within it.`, bounds);
  }
  const part = range === 'whole' ? null : range;
  headers.set('content-length', String(part === null ? record.sizeBytes : part.end - part.start));
  if (part !== null) headers.set('content-range', `bytes ${part.start}-${part.end - 1}/${record.sizeBytes}`);
  const body = method === 'HEAD' ? null : fileBytes(store, record, part);
  return { status: part === null ? 200 : 206, header: headers, body };
}

/** Number of bytes that are read at a time. */
const chunkBytes = 2 ** 20;

/** The bytes of a file or of a part of it; a whole file is verified by its hash. */
async function* fileBytes(store: FileStores, record: BinaryRecord, part: ByteRange | null) {
  const blob = await openFile(store, record);
  if (blob === null) throw notFound('blob', record.blobAddress);
  try {
    const isWhole = part === null || part.end - part.start === record.sizeBytes;
    if (isWhole) yield* provenBytes(blob, record, store.blobs.hash(), chunkBytes);
    else yield* rangeBytes(blob, part, chunkBytes);
  } finally {
    await blob.close();
  }
}

/**
 * Reads the first megabyte of a response, so that it starts only if the file can be read. Damage at the end of a
 * larger file breaks the body off. The body must be consumed.
 * @param response of `download`
 * @param defects told of a file whose bytes are lost or damaged
 * @returns the response; 404 for a file that was deleted meanwhile, 500 for lost or damaged bytes
 * @example
 * const response = { status: 204, headers: {}, body: null };
 * (await begun(response, { report: () => {} })) === response; // => true
 */
export async function begun(response: DownloadResponse, defects: DefectLog): Promise<DownloadResponse> {
  if (response.body === null) return response;
  const chunks = response.body[Symbol.asyncIterator]();
  try {
    const first = await chunks.next();
    return { ...response, body: first.done ? null : goingOn(first.value, chunks) };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (error.code === 'not-found') return gone();
    if (error.code !== 'damaged' || error.subject === '') throw error;
    defects.report(error, { operation: 'download' });
    return refusal(500, damagedFileText(error.subject));
  }
}

async function* goingOn(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    for (let chunk: IteratorResult<Uint8Array> = { value: first }; !chunk.done; chunk = await rest.next())
      yield chunk.value;
  } finally {
    await rest.return?.();
  }
}

/**
 * Whether the client has this version already: `*`, or a list of tags, which a proxy may have made weak (RFC 9110,
 * section 13.1.2).
 */
const isKnown = (ifNoneMatch: string | null, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));

// File types that a browser executes or renders as a page of this origin.
const runs: ReadonlySet<string> = new Set(
  'script style worker sharedworker serviceworker audioworklet paintworklet manifest xslt json'.split(' '),
);

const shownInPlace = /^(image\/(?!svg)|video\/|audio\/)/i;
// JavaScript under all of its names (WHATWG MIME Sniffing, section 4.6), and style sheets.
const neverSaid = /script|\/css$/i;

// A browser shows a video in a page of its own making, which fetches the same address again. A bare sandbox would
// make that page another origin, which gets no answer. Scripts stay forbidden.
const mediaPolicy = "default-src 'none'; media-src 'self'; sandbox allow-same-origin";

/** Uploads are not trusted: nothing of them runs in the page's origin, whatever type their sender gave. */
function fileHeaders({ mimeType, sha256, fileName }: BinaryRecord): Headers {
  const shown = shownInPlace.test(mimeType);
  const disposition = shown ? 'inline' : 'attachment';
  return new Headers({
    'content-type':
      /^[\w.+-]+\/[\w.+-]+$/.test(mimeType) && !neverSaid.test(mimeType) ? mimeType : 'application/octet-stream',
    'content-disposition': `${disposition}; filename*=UTF-8''${encodeFileName(shortened(baseName(fileName)))}`,
    'content-security-policy': shown ? mediaPolicy : "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    // isolated pages show only responses that permit it; the requester has proved its right to read the file
    'cross-origin-resource-policy': 'cross-origin',
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    etag: `"${sha256}"`,
  });
}

// The longest name of most file systems. Clients refuse headers of some KiB; each character takes up to nine bytes
// here.
const maxNameLength = 255;
const maxExtensionLength = 20;

/** The name without its folders, which no download has (RFC 6266, section 4.3). */
const baseName = (fileName: string): string => safeFileName(fileName).split('/').at(-1)!;

/** A name within bounds that keeps its extension. */
function shortened(fileName: string): string {
  if (fileName.length <= maxNameLength) return fileName;
  const [extension = ''] = /\.[^.]+$/.exec(fileName.slice(-maxExtensionLength)) ?? [];
  return fileName.slice(0, maxNameLength - extension.length) + extension;
}

// RFC 8187 escapes more characters than encodeURIComponent, which also throws on half a surrogate pair.
const encodeFileName = (fileName: string): string =>
  encodeURIComponent(fileName.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const gone = (): DownloadResponse => refusal(404, 'There is no such file; it may have been deleted.');

const refusal = (status: number, message: string, headers: Record<string, string> = {}): DownloadResponse => ({
  status,
  header: new Headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers }),
  body: textBody(message),
});

async function* textBody(message: string): AsyncGenerator<Uint8Array, void> {
  yield new TextEncoder().encode(`${message}\n`);
}
