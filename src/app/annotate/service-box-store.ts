import { Code, ConnectError } from '@connectrpc/connect';
import type { DataClient } from '../../../workers/data-service/client.ts';
import { imageBoxOf } from '../../outbox/image-box-of.ts';
import type { LabelledBox } from '../../capture/capture.ts';
import { cornersOf } from './annotated-box.ts';
import { changedFields } from './box-operations.ts';
import { BoxStoreError, type BoxStore } from './box-store.ts';

/** The boxes of an image in the data service, by its public operations. */
export function createServiceBoxStore(data: DataClient['data'], binaryDataId: string): BoxStore {
  const add = async (box: LabelledBox): Promise<string> => {
    const { label, confidence } = box;
    const { bboxId } = await data.addBoundingBoxToImageByID({
      ...{ binaryDataId, label, ...cornersOf(box) },
      ...(confidence !== null && { confidence }),
    });
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
  // What someone else removed meanwhile is as this one wanted it.
  const remove = (bboxId: string): Promise<unknown> =>
    data.removeBoundingBoxFromImageByID({ binaryDataId, bboxId }).catch((error: unknown) => {
      if (ConnectError.from(error).code !== Code.NotFound) throw error;
    });

  return {
    load: () =>
      inWords(async () => {
        const image = await find();
        if (!image) throw new BoxStoreError('missing', 'The image is no longer in the data service.');
        return (image.metadata?.annotations?.bboxes ?? []).map(imageBoxOf);
      }),
    apply: (operation, before) =>
      inWords(async () => {
        switch (operation.kind) {
          case 'add':
            return add(operation.box);
          case 'update': {
            const { label, confidence, xMinNormalized } = before ? changedFields(before, operation.box) : operation.box;
            await data.updateBoundingBox({
              ...{ binaryDataId, bboxId: operation.id },
              ...(label !== undefined && { label }),
              ...(typeof confidence === 'number' && { confidence }),
              ...(xMinNormalized !== undefined && cornersOf(operation.box)),
            });
            return operation.id;
          }
          case 'replace': {
            const id = await add(operation.box);
            await remove(operation.id);
            return id;
          }
          case 'remove':
            await remove(operation.id);
            return operation.id;
        }
      }),
  };
}

const refusals: ReadonlySet<Code> = new Set([Code.InvalidArgument, Code.FailedPrecondition, Code.PermissionDenied]);

/** A box that is not found was removed meanwhile: the next load of the image tells. */
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
