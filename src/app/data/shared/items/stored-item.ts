import { timestampDate } from '@bufbuild/protobuf/wkt';
import { isTrackTag } from '../../../../evidence/datasets/face/tracks.ts';
import { isTruthTag } from '../../../../evidence/datasets/face/items.ts';
import type { BinaryMetadata } from '../../../../gen/app/data/v1/data_pb.ts';
import type { NormalizedBox } from '../../../../machine/vision/face/results.ts';

/** What a list keeps of a stored file; it holds up to a hundred thousand of these. */
export interface StoredItem {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  /** when it was requested; null: unknown */
  readonly timeMs: number | null;
  readonly tags: readonly string[];
  readonly datasetIds: readonly string[];
  readonly boxCount: number;
  readonly boxes: readonly ItemBox[];
}

/** A box of a stored image, as a list draws and filters it. */
export interface ItemBox extends NormalizedBox {
  readonly label: string;
  /** null = a person made it */
  readonly confidence: number | null;
}

/** Prefix of the tag by which the service stores that a file is in a dataset; the dataset's id follows. */
export const datasetTagPrefix = 'SVC_DATASET_';

/**
 * The tags that people gave: the service also stores membership of datasets as tags, the editor the tracks of boxes, and
 * the import areas and crowds.
 */
export const ownTags = (tags: readonly string[]): readonly string[] =>
  tags.filter((tag) => !tag.startsWith(datasetTagPrefix) && !isTrackTag(tag) && !isTruthTag(tag));

export function storedItem(metadata: BinaryMetadata): StoredItem {
  const { binaryDataId, captureMetadata, timeRequested, annotations } = metadata;
  return {
    id: binaryDataId,
    name: metadata.fileName.split('/').at(-1) || binaryDataId.split('/').at(-1)!,
    mimeType: captureMetadata?.mimeType ?? '',
    sizeBytes: Number(metadata.fileSizeBytes),
    timeMs: timeRequested ? timestampDate(timeRequested).getTime() : null,
    tags: ownTags(captureMetadata?.tags ?? []),
    datasetIds: metadata.datasetIds,
    boxCount: annotations?.bboxes.length ?? 0,
    boxes: (annotations?.bboxes ?? []).map(({ $typeName: _, id: _id, confidence, ...box }) => ({
      ...box,
      confidence: confidence ?? null,
    })),
  };
}
