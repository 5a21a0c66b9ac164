import { fromJson, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs, timestampMs, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import type { ImportItem, ImportPicture } from '../../../../../../workers/datasets/client.ts';
import { type DatasetBox, sequenceTag, truthTags } from '../../../../../evidence/datasets/face/items.ts';
import { storedBox } from '../../../../../evidence/datasets/face/image-size.ts';
import type { BinaryMetadata } from '../../../../../gen/app/data/v1/data_pb.ts';
import { DataType, type DataCaptureUploadRequestSchema } from '../../../../../gen/app/datasync/v1/data_sync_pb.ts';
import type { DataContext } from '../../../context/data-context.ts';
import { annotatePicture, withoutId, wireBox, type KnownBoxes } from './annotate-picture.ts';
import { tagsOfTracks } from '../shared/tags-of-tracks.ts';

type Ports = Pick<DataContext, 'data' | 'sync' | 'home'>;

/** What an import does with every picture. */
export interface ImportOrder {
  readonly datasetId: string;
  /** stores the split as a tag of that name */
  readonly splitsAsTags: boolean;
  /** for stored pictures that have boxes */
  readonly knownBoxes: KnownBoxes;
  /**
   * ms since 1970, different for each picture: it separates what this import brought from what was stored, and orders
   * pictures without a time of their own
   */
  readonly receivedMs: number;
}

export interface UploadedPicture {
  readonly binaryDataId: string;
  readonly wasHere: boolean;
  /** whether the picture was stored with boxes other than the import's, and keeps them */
  readonly keptOtherBoxes: boolean;
}

/** A deleted picture leaves its upload id used; after this many new ids something else is wrong. */
const mostGenerations = 100;

/**
 * Uploads a picture into a dataset, with its boxes, classifications and tags. The upload id is made from the bytes: if
 * the picture was uploaded before, it is found, and only what it lacks is added.
 * @throws ConnectError what the service answers
 */
export async function uploadPicture(
  ports: Ports,
  item: ImportItem,
  picture: ImportPicture,
  order: ImportOrder,
  signal: AbortSignal,
): Promise<UploadedPicture> {
  const { boxes, tags } = annotationsToStore(item, picture.orientation, order);
  const stored =
    (await ownPicture(ports, item, picture, signal)) ??
    (await upload(ports, { ...item, boxes, tags }, picture, order, signal));
  const wasHere = !stored.timeReceived || timestampMs(stored.timeReceived) !== order.receivedMs;
  const keptOtherBoxes = wasHere && (await annotatePicture(ports, stored, { ...order, boxes, tags }, signal));
  const marks = wasHere ? [] : tagsOfTracks(boxes, stored.annotations?.bboxes ?? [], []);
  if (marks.length > 0)
    await ports.data.addTagsToBinaryDataByIDs({ binaryDataIds: [stored.binaryDataId], tags: [...marks] }, { signal });
  return { binaryDataId: stored.binaryDataId, wasHere, keptOtherBoxes };
}

/**
 * An item's boxes on the stored picture, without those between key frames, which are computed wherever they are shown, and
 * its tags, including those of its sequence, areas and crowds, and of its split if wanted.
 */
export function annotationsToStore(
  { boxes: all, crowds = [], tags, split, sequence }: ImportItem,
  orientation: ImportPicture['orientation'],
  { splitsAsTags }: Pick<ImportOrder, 'splitsAsTags'>,
): { readonly boxes: readonly DatasetBox[]; readonly tags: readonly string[] } {
  const stored = (box: DatasetBox): DatasetBox => storedBox(box, orientation);
  const boxes = all.filter(({ track }) => track?.isKey ?? true).map(stored);
  const own = [...(splitsAsTags && split ? [split] : []), ...(sequence ? [sequenceTag(sequence.name)] : [])];
  const more = [...own, ...truthTags({ boxes, crowds: crowds.map(stored) })];
  return { boxes, tags: [...tags, ...more.filter((tag) => !tags.includes(tag))] };
}

/** The stored picture that a dataset exported from this data service names, if it still exists. */
async function ownPicture(
  { data, home }: Ports,
  { origin }: ImportItem,
  { bytes }: ImportPicture,
  signal: AbortSignal,
): Promise<BinaryMetadata | null> {
  const isOurs = origin.binaryDataId?.startsWith(`${home.organizationId}/`) ?? false;
  const known = isOurs ? await find(data, origin.binaryDataId!, signal) : null;
  return known && Number(known.fileSizeBytes) === bytes.length ? known : null;
}

async function upload(
  { data, sync, home }: Ports,
  item: ImportItem,
  picture: ImportPicture,
  order: ImportOrder,
  signal: AbortSignal,
): Promise<BinaryMetadata> {
  for (let generation = 0; generation < mostGenerations; generation++) {
    const uploadId = `import-${picture.sha256}${generation === 0 ? '' : `-${generation}`}`;
    const capture = captureOf(home.partId, item, picture, order);
    const { binaryDataId } = await sync.dataCaptureUpload(capture, { signal, headers: { 'x-upload-id': uploadId } });
    const stored = await find(data, binaryDataId, signal);
    if (stored) return stored;
  }
  throw new ConnectError('It was deleted each time it had been stored.', Code.Aborted);
}

/** null if no file has this id */
async function find(data: Ports['data'], id: string, signal: AbortSignal): Promise<BinaryMetadata | null> {
  try {
    const answer = await data.binaryDataByIDs({ binaryDataIds: [id], includeBinary: false }, { signal });
    return answer.data[0]?.metadata ?? null;
  } catch (error) {
    if (ConnectError.from(error).code === Code.NotFound) return null;
    throw error;
  }
}

function captureOf(
  partId: string,
  { fileName, tags, boxes, classifications, capturedAt, origin }: ImportItem,
  { bytes, mimeType }: ImportPicture,
  { datasetId, receivedMs }: ImportOrder,
): MessageInitShape<typeof DataCaptureUploadRequestSchema> {
  const sensor = {
    timeRequested: capturedAt === null ? timestampFromMs(receivedMs) : fromJson(TimestampSchema, capturedAt),
    timeReceived: timestampFromMs(receivedMs),
    annotations: { bboxes: boxes.map(wireBox), classifications: classifications.map(withoutId) },
  };
  return {
    metadata: {
      partId,
      fileName,
      mimeType,
      type: DataType.BINARY_SENSOR,
      tags: [...tags],
      datasetIds: [datasetId],
      componentName: origin.componentName ?? '',
      fileExtension: /\.[A-Za-z0-9]{1,16}$/.exec(fileName)?.[0] ?? '',
    },
    sensorContents: [{ metadata: sensor, data: { case: 'binary', value: bytes } }],
  };
}
