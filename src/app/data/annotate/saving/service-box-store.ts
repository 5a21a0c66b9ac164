import { Code, ConnectError } from '@connectrpc/connect';
import { imageBoxOf } from '../../../../remote/outbox/image-box-of.ts';
import { trackMarks, trackTag } from '../../../../evidence/datasets/face/tracks.ts';
import type { DataContext } from '../../context/data-context.ts';
import { editBox, editByPublicCalls } from '../boxes/box-edit-calls.ts';
import { BoxStoreError, type BoxStore } from '../boxes/box-store.ts';

/**
 * The boxes of an image in the data service. Sightglass makes an edit only where the box is still as it was seen; other
 * services are asked by their public operations.
 */
export function createServiceBoxStore(
  context: Pick<DataContext, 'data' | 'transport'>,
  binaryDataId: string,
): BoxStore {
  const { data } = context;
  /** Tracks are kept in tags of the image. */
  const moveMark = async (old: string | undefined, now: string | undefined): Promise<void> => {
    if (old === now) return;
    const binaryDataIds = [binaryDataId];
    if (old) await data.removeTagsFromBinaryDataByIDs({ binaryDataIds, tags: [old] });
    if (now) await data.addTagsToBinaryDataByIDs({ binaryDataIds, tags: [now] });
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
        const id =
          (await editBox(context, binaryDataId, operation, before)) ??
          (await editByPublicCalls(data, binaryDataId, operation, before));
        const now = operation.kind === 'remove' ? undefined : operation.box.track;
        const old = before?.track && 'id' in operation ? trackTag(before.track, operation.id) : undefined;
        await moveMark(old, now && trackTag(now, id));
        return id;
      }),
  };
}

const refusals: ReadonlySet<Code> = new Set([Code.InvalidArgument, Code.FailedPrecondition, Code.PermissionDenied]);

/** A box that is not found was removed meanwhile: the next load of the image shows that. */
export async function inWords<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof BoxStoreError) throw error;
    const { code, rawMessage } = ConnectError.from(error);
    if (refusals.has(code)) throw new BoxStoreError('refused', rawMessage, { cause: error });
    throw new BoxStoreError('unavailable', rawMessage, { cause: error });
  }
}
