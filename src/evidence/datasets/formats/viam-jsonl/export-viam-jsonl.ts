import { utf8ToBytes } from '@noble/hashes/utils.js';
import { generatedContent } from '../../item/content.ts';
import type { DatasetBox, DatasetEntry, DatasetItem } from '../../item/dataset-item.ts';
import { nameImage } from '../export-image.ts';
import type { ExportOptions } from '../../item/export-options.ts';
import { labelsFile } from '../../files/labels-file.ts';
import { UniqueNames } from '../../files/unique-names.ts';
import { goTime } from '../../item/dataset-times.ts';

/** Viam stores the membership in datasets as tags with this prefix. They are not annotations, so they are not exported. */
const membershipTag = /^SVC_DATASET_/;

/**
 * Writes the format of `viam dataset export`: pictures in `data/`, and one JSON object per line in `dataset.jsonl` (fields
 * as in go.viam.com/utils, machinelearning/image_metadata_to_JSON.go; docs.viam.com, "Training dataset formats"). Tags
 * and classifications are both `classification_annotations` there. Additional fields, which its readers ignore, are the
 * `confidence` of an annotation, `split`, `crowd_annotations`, and `tags`, so that an import can distinguish them from
 * classifications. A given order of classes is written to `labels.txt`.
 */
export async function* exportViamJsonl(
  items: AsyncIterable<DatasetItem>,
  { classes }: ExportOptions,
): AsyncGenerator<DatasetEntry> {
  const names = new UniqueNames();
  const lines: Uint8Array[] = [];
  for await (const item of items) {
    const path = `data/${await nameImage(item, names)}`;
    lines.push(utf8ToBytes(`${JSON.stringify(recordOf(item, path))}\n`));
    yield { path, content: item.content };
  }
  yield { path: 'dataset.jsonl', content: generatedContent(() => lines) };
  yield* labelsFile(classes);
}

const boxRecord = (box: DatasetBox): object => ({
  id: box.id ?? '',
  annotation_label: box.label,
  x_min_normalized: box.xMinNormalized,
  x_max_normalized: box.xMaxNormalized,
  y_min_normalized: box.yMinNormalized,
  y_max_normalized: box.yMaxNormalized,
  confidence: box.confidence,
  // Additional fields, not Viam's: the area of what is in the box, its track, and whether it is a key frame.
  area_px: box.areaPx,
  track_id: box.track?.id,
  keyframe: box.track?.isKey,
  track_ends: box.track?.isLast,
});

function recordOf(item: DatasetItem, imagePath: string): object {
  const tags = item.tags.filter((tag) => !membershipTag.test(tag));
  const { binaryDataId, organizationId, robotId, locationId, partId, componentName } = item.origin;
  return {
    image_path: imagePath,
    classification_annotations: [
      ...tags.map((tag) => ({ annotation_label: tag })),
      ...item.classifications.map(({ label, confidence, id }) => ({ id, annotation_label: label, confidence })),
    ],
    bounding_box_annotations: item.boxes.map(boxRecord),
    crowd_annotations: item.crowds?.map(boxRecord),
    binary_data_id: binaryDataId,
    timestamp: item.capturedAt === null ? '' : goTime(item.capturedAt),
    robot_id: robotId,
    part_id: partId ?? '',
    component_name: componentName ?? '',
    organization_id: organizationId,
    location_id: locationId,
    tags,
    split: item.split ?? undefined,
  };
}
