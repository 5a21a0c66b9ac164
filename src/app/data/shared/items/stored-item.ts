import { timestampDate } from '@bufbuild/protobuf/wkt';
import { isTrackTag } from '../../../../datasets/tracks/track-tags.ts';
import type { BinaryMetadata } from '../../../../gen/app/data/v1/data_pb.ts';
import type { NormalizedBox } from '../../../../vision/normalized-box.ts';

/** What a list keeps of a stored file: a hundred thousand of these are at hand at once. */
export interface StoredItem {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  /** when it was requested; null where it does not say */
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

const datasetTagPrefix = 'SVC_DATASET_';

/** Tags as people gave them: the service keeps membership of datasets among them, the editor which boxes are of a track. */
export const ownTags = (tags: readonly string[]): readonly string[] =>
  tags.filter((tag) => !tag.startsWith(datasetTagPrefix) && !isTrackTag(tag));

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
