import { Code, ConnectError } from '@connectrpc/connect';
import { type DatasetBox, isCrowdTag } from '../../../../../evidence/datasets/face/items.ts';
import type { BinaryMetadata } from '../../../../../gen/app/data/v1/data_pb.ts';
import type { DataContext } from '../../../context/data-context.ts';
import { isSameBox } from '../shared/is-same-box.ts';
import { tagsOfTracks } from '../shared/tags-of-tracks.ts';

/** For images that already have boxes: keep them, add the missing ones, or replace them. */
export type KnownBoxes = 'keep' | 'add' | 'replace';

/** The wanted annotations of a stored image; boxes are those of the stored picture. */
export interface WantedAnnotations {
  readonly boxes: readonly DatasetBox[];
  readonly tags: readonly string[];
  /** null = none */
  readonly datasetId: string | null;
  readonly knownBoxes: KnownBoxes;
}

/** Undoes one step. */
export type UndoStep = () => Promise<unknown>;

/**
 * Adds what a stored image lacks. New boxes are added before the ones that they replace are removed, so that none is
 * lost on a failure.
 * @param done receives the undo of each completed step
 * @returns whether the image keeps boxes other than these
 * @throws ConnectError what the service answers
 */
export async function annotatePicture(
  { data }: Pick<DataContext, 'data'>,
  { binaryDataId, datasetIds, captureMetadata, annotations }: BinaryMetadata,
  { boxes, tags, datasetId, knownBoxes }: WantedAnnotations,
  signal: AbortSignal,
  done: (undo: UndoStep) => void = () => undefined,
): Promise<boolean> {
  const binaryDataIds = [binaryDataId];
  const addBox = (box: DatasetBox) => data.addBoundingBoxToImageByID({ ...wireBox(box), binaryDataId }, { signal });
  if (datasetId !== null && !datasetIds.includes(datasetId)) {
    await data.addBinaryDataToDatasetByIDs({ binaryDataIds, datasetId }, { signal });
    done(() => data.removeBinaryDataFromDatasetByIDs({ binaryDataIds, datasetId }));
  }
  const known = annotations?.bboxes ?? [];
  const missing = boxes.filter((box) => !known.some((other) => isSameBox(box, other)));
  const others = known.filter((other) => !boxes.some((box) => isSameBox(box, other)));
  const keepsKnown = knownBoxes === 'keep' && known.length > 0;
  const keepsOthers = keepsKnown && (missing.length > 0 || others.length > 0);
  const storedTags = captureMetadata?.tags ?? [];
  const lacking = tags.filter((tag) => !storedTags.includes(tag) && !(keepsOthers && isCrowdTag(tag)));
  if (lacking.length > 0) {
    await data.addTagsToBinaryDataByIDs({ binaryDataIds, tags: lacking }, { signal });
    done(() => data.removeTagsFromBinaryDataByIDs({ binaryDataIds, tags: lacking }));
  }
  const added: (DatasetBox & { readonly id: string })[] = [];
  for (const box of keepsKnown ? [] : missing) {
    const { bboxId } = await addBox(box);
    added.push({ ...box, id: bboxId });
    done(() => data.removeBoundingBoxFromImageByID({ binaryDataId, bboxId }));
  }
  const marks = tagsOfTracks(boxes, [...known, ...added], storedTags);
  if (marks.length > 0) {
    await data.addTagsToBinaryDataByIDs({ binaryDataIds, tags: [...marks] }, { signal });
    done(() => data.removeTagsFromBinaryDataByIDs({ binaryDataIds, tags: [...marks] }));
  }
  if (keepsKnown) return keepsOthers;
  if (knownBoxes !== 'replace') return false;
  const oldCrowds = storedTags.filter((tag) => isCrowdTag(tag) && !tags.includes(tag));
  if (oldCrowds.length > 0) {
    await data.removeTagsFromBinaryDataByIDs({ binaryDataIds, tags: oldCrowds }, { signal });
    done(() => data.addTagsToBinaryDataByIDs({ binaryDataIds, tags: oldCrowds }));
  }
  for (const { id: bboxId, $typeName: _, confidence, ...box } of others) {
    await data.removeBoundingBoxFromImageByID({ binaryDataId, bboxId }, { signal });
    const again = { ...box, binaryDataId, ...(confidence !== undefined && { confidence }) };
    done(() => data.addBoundingBoxToImageByID(again));
  }
  return false;
}

/** Undoes steps, the last one first. What was deleted meanwhile is skipped. @throws ConnectError */
export async function undoSteps(steps: readonly UndoStep[], onProgress: (doneCount: number) => void): Promise<void> {
  for (const [at, undo] of [...steps].reverse().entries()) {
    await undo().catch((error: unknown) => {
      if (ConnectError.from(error).code !== Code.NotFound) throw error;
    });
    onProgress(at + 1);
  }
}

/** Removes ids from other datasets: the service assigns its own. */
export function withoutId<Annotation extends { readonly id?: string }>({
  id: _,
  ...annotation
}: Annotation): Omit<Annotation, 'id'> {
  return annotation;
}

/** A box as the service accepts it; its track and area are stored in tags. */
export const wireBox = ({ track: _, areaPx: _area, ...box }: DatasetBox) => withoutId(box);
