import { Code, ConnectError } from '@connectrpc/connect';
import type { DataClient } from '../../../../workers/data-service/client.ts';
import { imageBoxOf } from '../../../outbox/image-box-of.ts';
import { trackMarks, trackTag } from '../../../datasets/tracks/track-tags.ts';
import { cornersOf, type TrackedBox } from './annotated-box.ts';
import { changedFields } from './box-operations.ts';
import { BoxStoreError, type BoxStore } from './box-store.ts';

/** The boxes of an image in the data service, through its public operations. */
export function createServiceBoxStore(data: DataClient['data'], binaryDataId: string): BoxStore {
  const tag = (tags: readonly string[]): Promise<unknown> =>
    data.addTagsToBinaryDataByIDs({ binaryDataIds: [binaryDataId], tags: [...tags] });
  const untag = (tags: readonly string[]): Promise<unknown> =>
    data.removeTagsFromBinaryDataByIDs({ binaryDataIds: [binaryDataId], tags: [...tags] });
  const add = async (box: TrackedBox): Promise<string> => {
    const { label, confidence } = box;
    const { bboxId } = await data.addBoundingBoxToImageByID({
      binaryDataId,
      label,
      ...cornersOf(box),
      ...(confidence !== null && { confidence }),
    });
    if (box.track) await tag([trackTag(box.track, bboxId)]);
    return bboxId;
  };
  const find = async () => {
    try {
      const found = await data.binaryDataByIDs({ binaryDataIds: [binaryDataId], includeBinary: false });
      return found.data[0];
    } catch (error) {
      if (ConnectError.from(error).code === Code.NotFound) return undefined;
      throw error;
    }
  };
  // A box that another person removed meanwhile is in the wanted state.
  const remove = async (bboxId: string, before: TrackedBox | null): Promise<void> => {
    await data.removeBoundingBoxFromImageByID({ binaryDataId, bboxId }).catch((error: unknown) => {
      if (ConnectError.from(error).code !== Code.NotFound) throw error;
    });
    if (before?.track) await untag([trackTag(before.track, bboxId)]);
  };

  return {
    load: () =>
      inWords(async () => {
        const image = await find();
        if (!image) throw new BoxStoreError('missing', 'The image is no longer in the data service.');
        const marks = trackMarks(image.metadata?.captureMetadata?.tags ?? []);
        return (image.metadata?.annotations?.bboxes ?? []).map((box) => {
          const track = marks.get(box.id);
          return { ...imageBoxOf(box), ...(track && { track }) };
        });
      }),
    apply: (operation, before) =>
      inWords(async () => {
        switch (operation.kind) {
          case 'add':
            return add(operation.box);
          case 'update': {
            const fields = before ? changedFields(before, operation.box) : operation.box;
            const { label, confidence, xMinNormalized } = fields;
            const isChanged = Object.keys(fields).length > 0;
            const [old, now] = [before?.track, operation.box.track].map(
              (track) => track && trackTag(track, operation.id),
            );
            if (old && old !== now) await untag([old]);
            if (now && old !== now) await tag([now]);
            if (isChanged)
              await data.updateBoundingBox({
                binaryDataId,
                bboxId: operation.id,
                ...(label !== undefined && { label }),
                ...(typeof confidence === 'number' && { confidence }),
                ...(xMinNormalized !== undefined && cornersOf(operation.box)),
              });
            return operation.id;
          }
          case 'replace': {
            const id = await add(operation.box);
            await remove(operation.id, before);
            return id;
          }
          case 'remove':
            await remove(operation.id, before);
            return operation.id;
        }
      }),
  };
}

const refusals: ReadonlySet<Code> = new Set([Code.InvalidArgument, Code.FailedPrecondition, Code.PermissionDenied]);

/** A box that is not found was removed meanwhile: the next load of the image shows that. */
async function inWords<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof BoxStoreError) throw error;
    const { code, rawMessage } = ConnectError.from(error);
    if (refusals.has(code)) throw new BoxStoreError('refused', rawMessage, { cause: error });
    throw new BoxStoreError('unavailable', rawMessage, { cause: error });
  }
}
