import { ConnectError, Code } from '@connectrpc/connect';
import type { DatasetClient, ImportItem } from '../../../../../../workers/datasets/client.ts';
import type { Orientation } from '../../../../../evidence/datasets/face/image-size.ts';
import type { StoredName } from '../../../../../evidence/datasets/face/files.ts';
import { Order } from '../../../../../gen/app/data/v1/data_pb.ts';
import type { DataContext } from '../../../context/data-context.ts';
import { imageTypes } from '../../../shared/stored/tab-media-types.ts';
import { annotatePicture, type UndoStep } from './annotate-picture.ts';
import { fetchBytes } from '../../../annotate/saving/stored-pictures.ts';
import { annotationsToStore, type ImportOrder } from './upload-picture.ts';

const pageRows = 500;

/**
 * Matches annotations that came without pictures with stored images.
 * @param among id of a dataset; '': all images of the organization
 * @throws ConnectError
 */
export async function joinStored(
  { data, home }: Pick<DataContext, 'data' | 'home'>,
  engine: DatasetClient,
  opened: number,
  among: string,
  signal: AbortSignal,
): Promise<void> {
  const stored: StoredName[] = [];
  const filter = {
    organizationIds: [home.organizationId],
    mimeType: [...imageTypes],
    ...(among && { datasetId: among }),
  };
  for (let last = '', isMore = true; isMore;) {
    const dataRequest = { filter, limit: BigInt(pageRows), last, sortOrder: Order.ASCENDING };
    const page = await data.binaryDataByFilter({ dataRequest, includeBinary: false }, { signal });
    for (const { metadata } of page.data) {
      if (!metadata) continue;
      const { binaryDataId: id, fileName, fileSizeBytes, annotations } = metadata;
      stored.push({ id, fileName, sizeBytes: Number(fileSizeBytes), boxCount: annotations?.bboxes.length ?? 0 });
    }
    last = page.last;
    isMore = page.data.length === pageRows;
  }
  await engine.join(opened, stored, async (id) => {
    const bytes = (await fetchBytes(data, [id], signal)).get(id);
    if (!bytes) throw new Error('The image was deleted meanwhile.');
    return bytes;
  });
}

/**
 * Adds annotations to a stored image.
 * @param orientation EXIF orientation of the stored picture: annotations refer to the upright one
 * @returns whether it keeps boxes other than these
 * @throws ConnectError
 */
export async function annotateStored(
  { data }: Pick<DataContext, 'data'>,
  storedId: string,
  item: ImportItem,
  orientation: Orientation,
  order: Omit<ImportOrder, 'datasetId' | 'receivedMs'> & { readonly datasetId: string | null },
  signal: AbortSignal,
  done: (undo: UndoStep) => void,
): Promise<boolean> {
  const answer = await data.binaryDataByIDs({ binaryDataIds: [storedId], includeBinary: false }, { signal });
  const stored = answer.data[0]?.metadata;
  if (!stored) throw new ConnectError('The image was deleted meanwhile.', Code.NotFound);
  const { datasetId, knownBoxes } = order;
  const wanted = { ...annotationsToStore(item, orientation, order), datasetId, knownBoxes };
  return annotatePicture({ data }, stored, wanted, signal, done);
}
