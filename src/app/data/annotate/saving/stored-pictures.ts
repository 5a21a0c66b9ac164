import { toJson, type MessageInitShape } from '@bufbuild/protobuf';
import { TimestampSchema, timestampMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import { cameraOf, type DatasetItem, sequenceTag, withTruthTags } from '../../../../evidence/datasets/face/items.ts';
import { trackMarks } from '../../../../evidence/datasets/face/tracks.ts';
import { Order, type BinaryMetadata, type FilterSchema } from '../../../../gen/app/data/v1/data_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { ownTags, storedItem } from '../../shared/items/stored-item.ts';

/**
 * A picture of a dataset in the data service, without its bytes; its boxes are those of the stored picture. A dataset
 * may hold other files, too: see `isPicture`.
 */
export interface StoredPicture extends Omit<DatasetItem, 'content' | 'sizePx' | 'split'> {
  readonly sizeBytes: number;
  readonly mimeType: string;
  /** when it was captured; null: the service knows only when it was received (both of its times are equal) */
  readonly timeMs: number | null;
  /** part and component that captured it; null: no component is known, and the time may be that of a file */
  readonly source: string | null;
}

export const isPicture = ({ mimeType }: Pick<StoredPicture, 'mimeType'>): boolean => mimeType.startsWith('image/');

function storedPicture(metadata: BinaryMetadata): StoredPicture {
  const { annotations, captureMetadata, timeRequested, timeReceived } = metadata;
  const [requestedMs, receivedMs] = [timeRequested, timeReceived].map((time) => (time ? timestampMs(time) : null));
  const { name, mimeType, sizeBytes } = storedItem(metadata);
  const tags = captureMetadata?.tags ?? [];
  const marks = trackMarks(tags);
  const boxes = (annotations?.bboxes ?? []).map(({ $typeName: _, confidence, ...box }) => {
    const track = marks.get(box.id);
    return { ...box, ...(confidence !== undefined && { confidence }), ...(track && { track }) };
  });
  const { organizationId = '', locationId = '', robotId = '', partId = '', componentName = '' } = captureMetadata ?? {};
  return {
    contentId: metadata.binaryDataId,
    fileName: name,
    mimeType,
    sizeBytes,
    ...withTruthTags(boxes, tags),
    classifications: (annotations?.classifications ?? []).map(({ id, label, confidence }) => ({
      id,
      label,
      ...(confidence !== undefined && { confidence }),
    })),
    tags: ownTags(tags),
    capturedAt: timeRequested ? toJson(TimestampSchema, timeRequested) : null,
    timeMs: requestedMs === receivedMs ? null : (requestedMs ?? null),
    source: cameraOf({ partId, componentName }),
    origin: { binaryDataId: metadata.binaryDataId, organizationId, locationId, robotId, partId, componentName },
  };
}

const pageRows = 500;

/** All files of a dataset, oldest first, page by page. */
export async function* picturePages(
  { data, home }: Pick<DataContext, 'data' | 'home'>,
  datasetId: string,
  signal: AbortSignal,
): AsyncGenerator<readonly StoredPicture[]> {
  yield* pagesOf(data, { datasetId, organizationIds: [home.organizationId] }, signal);
}

/** All files of the organization, oldest first, page by page. */
export async function* allPicturePages(
  { data, home }: Pick<DataContext, 'data' | 'home'>,
  signal: AbortSignal,
): AsyncGenerator<readonly StoredPicture[]> {
  yield* pagesOf(data, { organizationIds: [home.organizationId] }, signal);
}

/** All pictures of a sequence, in all datasets. */
export async function sequenceFrames(
  { data, home }: Pick<DataContext, 'data' | 'home'>,
  name: string,
  signal: AbortSignal,
): Promise<readonly StoredPicture[]> {
  const frames: StoredPicture[] = [];
  const filter = { organizationIds: [home.organizationId], tagsFilter: { tags: [sequenceTag(name)] } };
  for await (const page of pagesOf(data, filter, signal)) frames.push(...page.filter(isPicture));
  return frames;
}

/** All files that match a filter, oldest first, page by page. */
export async function* pagesOf(
  data: DataContext['data'],
  filter: MessageInitShape<typeof FilterSchema>,
  signal: AbortSignal,
): AsyncGenerator<readonly StoredPicture[]> {
  for (let last = ''; ;) {
    const dataRequest = { filter, limit: BigInt(pageRows), last, sortOrder: Order.ASCENDING };
    const page = await data.binaryDataByFilter({ dataRequest, includeBinary: false }, { signal });
    yield page.data.flatMap(({ metadata }) => (metadata ? [storedPicture(metadata)] : []));
    if (page.data.length < pageRows) return;
    last = page.last;
  }
}

/** Fetches the bytes of pictures by id. Deleted pictures are missing from the result. */
export async function fetchBytes(
  data: DataContext['data'],
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>> {
  try {
    const answer = await data.binaryDataByIDs({ binaryDataIds: [...ids], includeBinary: true }, { signal });
    return new Map(answer.data.map(({ binary, metadata }) => [metadata!.binaryDataId, ownMemory(binary)]));
  } catch (error) {
    if (ConnectError.from(error).code !== Code.NotFound) throw error;
    if (ids.length === 1) return new Map();
    const found = new Map<string, Uint8Array<ArrayBuffer>>();
    for (const id of ids) for (const [key, bytes] of await fetchBytes(data, [id], signal)) found.set(key, bytes);
    return found;
  }
}

/** The bytes may be a view into the whole message; a worker needs memory of its own. */
function ownMemory(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.byteLength === bytes.buffer.byteLength ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}
