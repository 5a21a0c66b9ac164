import { utf8ToBytes } from '@noble/hashes/utils.js';
import { generatedContent } from '../../item/content.ts';
import type {
  DatasetBox,
  DatasetEntry,
  DatasetItem,
  SequencePosition,
  SizePx,
  Split,
} from '../../item/dataset-item.ts';
import { nameImage, sizeOf } from '../export-image.ts';
import { numberClasses, orderClasses, type DatasetClass } from '../../item/dataset-classes.ts';
import type { ExportOptions } from '../../item/export-options.ts';
import { UniqueNames } from '../../files/unique-names.ts';
import { stableHash } from '../../item/stable-hash.ts';
import { cocoTime } from '../../item/dataset-times.ts';

/** The data of a written picture that the annotation file needs, kept until the end of the export. */
interface ImageRecord {
  readonly contentId: string;
  readonly fileName: string;
  readonly sizePx: SizePx;
  readonly capturedAt: string | null;
  readonly boxes: readonly DatasetBox[];
  readonly crowds: readonly DatasetBox[];
  readonly split: Split | null;
  readonly sequence: SequencePosition | null;
}

/**
 * Writes COCO object detection (cocodataset.org, "Data format", §1 and §2): `annotations/instances.json` and `images/`,
 * or for pictures with splits `annotations/instances_train.json`, `images/train/` and so on. Pictures without boxes are
 * listed too. Image ids are derived from content ids, so a picture has the same id in every export. Categories keep
 * imported ids; others are numbered from 1.
 * Boxes are [x, y, width, height] in pixels, counted from 0; crowds have `iscrowd` 1. A confidence is written as `score`,
 * as in COCO's result files. Frames of sequences have `video_id` and `frame_id`, and boxes of tracks have a `track_id` that is unique in the
 * file, as in TAO and COCO-VID.
 */
export async function* exportCoco(
  items: AsyncIterable<DatasetItem>,
  options: ExportOptions,
): AsyncGenerator<DatasetEntry> {
  const names = new UniqueNames();
  const records: ImageRecord[] = [];
  for await (const item of items) {
    const sizePx = await sizeOf(item, options.report);
    if (sizePx === null) continue;
    const { contentId, capturedAt, boxes, crowds = [], split, sequence = null } = item;
    const fileName = await nameImage(item, names);
    records.push({ contentId, fileName, sizePx, capturedAt, boxes, crowds, split, sequence });
    yield { path: split === null ? `images/${fileName}` : `images/${split}/${fileName}`, content: item.content };
  }
  const classes = orderClasses(
    records.flatMap(({ boxes, crowds }) => [...boxes, ...crowds].map(({ label }) => label)),
    options.classes,
  );
  const splits = new Set(records.map(({ split }) => split));
  if (splits.size === 0) splits.add(null);
  for (const split of splits) {
    yield {
      path: split === null ? 'annotations/instances.json' : `annotations/instances_${split}.json`,
      content: generatedContent(() =>
        instancesJson(
          records.filter((record) => record.split === split),
          classes,
          options,
        ),
      ),
    };
  }
}

function* instancesJson(
  records: readonly ImageRecord[],
  classes: readonly DatasetClass[],
  { datasetName, createdAt }: ExportOptions,
): Generator<Uint8Array> {
  const numbers = numberClasses(classes);
  const categoryIds = new Map(classes.map(({ label }, i) => [label, numbers[i]!]));
  const info = {
    description: datasetName,
    version: '1.0',
    ...(createdAt === undefined ? {} : { year: Number(createdAt.slice(0, 4)), date_created: createdAt }),
    contributor: '',
    url: '',
  };
  const licenses = [{ id: 1, name: 'Unknown', url: '' }];
  const categories = classes.map(({ label: name }, i) => ({ id: numbers[i]!, name, supercategory: '' }));
  const videos = [...new Set(records.flatMap(({ sequence }) => sequence?.name ?? []))];
  const videoIds = new Map(videos.map((name, at) => [name, at + 1]));
  const trackIds = new TrackIds();
  const ids = new UniqueIds();
  const imageIds = records.map(({ contentId }) => ids.take(contentId));

  yield utf8ToBytes(`{"info":${JSON.stringify(info)},"licenses":${JSON.stringify(licenses)},`);
  if (videos.length > 0)
    yield utf8ToBytes(`"videos":${JSON.stringify(videos.map((name, at) => ({ id: at + 1, name })))},`);
  yield utf8ToBytes('"images":[');
  for (const [i, record] of records.entries())
    yield utf8ToBytes((i ? ',\n' : '\n') + JSON.stringify(imageOf(record, imageIds[i]!, videoIds)));
  yield utf8ToBytes('\n],"annotations":[');
  let separator = '\n';
  for (const [i, { contentId, sizePx, boxes, crowds, sequence }] of records.entries()) {
    for (const box of [...boxes, ...crowds]) {
      const corners = [box.xMinNormalized, box.yMinNormalized, box.xMaxNormalized, box.yMaxNormalized];
      const id = ids.take(`${contentId}\n${box.id ?? `${box.label}\n${corners.join(' ')}`}`);
      const annotation = annotationOf(box, sizePx, {
        id,
        imageId: imageIds[i]!,
        categoryId: categoryIds.get(box.label)!,
        trackId: box.track ? trackIds.of(sequence?.name ?? '', box.track.id) : null,
        isCrowd: crowds.includes(box),
      });
      yield utf8ToBytes(separator + JSON.stringify(annotation));
      separator = ',\n';
    }
  }
  yield utf8ToBytes(`\n],"categories":${JSON.stringify(categories)}}\n`);
}

function imageOf(
  { contentId, fileName, sizePx, capturedAt, sequence }: ImageRecord,
  id: number,
  videoIds: ReadonlyMap<string, number>,
): object {
  return {
    id,
    file_name: fileName,
    width: sizePx.widthPx,
    height: sizePx.heightPx,
    license: 1,
    ...(capturedAt === null ? {} : { date_captured: cocoTime(capturedAt) }),
    ...(sequence === null ? {} : { video_id: videoIds.get(sequence.name), frame_id: sequence.at }),
    content_id: contentId,
  };
}

function annotationOf(
  box: DatasetBox,
  { widthPx, heightPx }: SizePx,
  ids: { id: number; imageId: number; categoryId: number; trackId: number | null; isCrowd: boolean },
): object {
  const x = box.xMinNormalized * widthPx;
  const y = box.yMinNormalized * heightPx;
  const width = box.xMaxNormalized * widthPx - x;
  const height = box.yMaxNormalized * heightPx - y;
  return {
    id: ids.id,
    image_id: ids.imageId,
    category_id: ids.categoryId,
    bbox: [x, y, width, height].map(tenthousandths),
    area: box.areaPx ?? tenthousandths(width * height),
    segmentation: [],
    iscrowd: ids.isCrowd ? 1 : 0,
    ...(box.confidence === undefined ? {} : { score: box.confidence }),
    ...(ids.trackId === null ? {} : { track_id: ids.trackId, keyframe: box.track!.isKey }),
  };
}

/** Rounds pixels to four decimals: precise enough, and short in the file. */
function tenthousandths(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** Makes track ids unique in the file. A track keeps its own id unless another sequence has used it. */
class TrackIds {
  readonly #ids = new Map<string, number>();
  readonly #taken = new Set<number>();

  of(sequence: string, id: number): number {
    const key = `${id}\n${sequence}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    let free = id;
    while (this.#taken.has(free)) free++;
    this.#taken.add(free);
    this.#ids.set(key, free);
    return free;
  }
}

/** Ids are below this: many readers store ids as int32, and would change or refuse larger ones. */
const idCount = 2 ** 31;

/** Derives unique ids from hashes of texts; if an id is taken, it tries the next hash. 0 is never used. */
class UniqueIds {
  readonly #taken = new Set<number>([0]);

  take(text: string): number {
    let id = stableHash(text) % idCount;
    for (let again = 1; this.#taken.has(id); again++) id = stableHash(`${text}\n${again}`) % idCount;
    this.#taken.add(id);
    return id;
  }
}
