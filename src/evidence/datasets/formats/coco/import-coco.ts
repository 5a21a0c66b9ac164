import { acceptBox } from '../../item/accept-box.ts';
import { readAll, readHead } from '../../item/content.ts';
import { classId } from '../../item/dataset-classes.ts';
import { DatasetError } from '../../item/dataset-error.ts';
import type { Content, DatasetBox, DatasetItem, ListedFile, SizePx } from '../../item/dataset-item.ts';
import { shown, type DatasetReport } from '../../item/dataset-report.ts';
import { decodeText } from '../../files/decode-text.ts';
import type { FileIndex } from '../../files/file-index.ts';
import { baseNameOf, extensionOf, folderOf } from '../../item/inner-path.ts';
import { readImageSize } from '../../image-size/read-image-size.ts';
import { statedPicture, turnedNote, turnedWithPicture } from '../../image-size/turned-with-picture.ts';
import { claimPicture, Claims, isRecord, recordsIn, type DatasetImporter, type JsonRecord } from '../importing.ts';
import { splitOfPath } from '../../item/split-of-path.ts';
import { longestCrowdLabel } from '../../item/truth-tags.ts';
import { parseTime } from '../../item/dataset-times.ts';
import { sequenceNameOf } from '../frame-items.ts';
import { boxOfPolygons } from './box-of-polygons.ts';
import { areaScaleOf, noteManyAreas, withArea } from './coco-areas.ts';
import { sequencePlaces, settledItems, trackOf } from './coco-tracks.ts';

/** Larger files are refused: JSON must be in memory as a whole, and engines refuse strings of half a gigabyte. */
const longestJsonBytes = 256 * 1024 * 1024;

const longestName = 60;

/**
 * Reads COCO object detection (see `exportCoco`): every JSON file with `images` and `categories`, `instances…` first.
 * Ids may be numbers or strings. `area` and masks are not needed; an annotation without `bbox` gets the box around its
 * polygons. Crowd regions stand beside the boxes, because they are not single objects. If a picture has no size in the
 * file, its header is read.
 */
export const cocoImporter: DatasetImporter = { detect, importItems };

async function detect(files: FileIndex) {
  const [start] = await instancesFiles(files);
  if (start) return { start };
  const [other] = jsonFiles(files);
  return {
    start: null,
    missing: other ? `${other.path} has neither “images” nor “annotations” of them` : 'there is no .json file',
  };
}

function jsonFiles(files: FileIndex): ListedFile[] {
  const rank = ({ path }: ListedFile) => (/instances|_annotations\.coco/i.test(baseNameOf(path)) ? 0 : 1);
  return files.files.filter(({ path }) => extensionOf(path) === '.json').sort((a, b) => rank(a) - rank(b));
}

async function instancesFiles(files: FileIndex): Promise<ListedFile[]> {
  const found: ListedFile[] = [];
  for (const file of jsonFiles(files)) {
    const head = decodeText(await readHead(file, 64 * 1024)).text;
    if (startsCoco(head)) found.push(file);
  }
  return found;
}

/** Whether the first bytes contain one of COCO's lists. An "annotations" list of another tool has no `image_id`. */
function startsCoco(head: string): boolean {
  if (!/^\s*\{/.test(head)) return false;
  if (/"(images|categories)"\s*:\s*\[/.test(head)) return true;
  return /"annotations"\s*:\s*\[/.test(head) && /"image_id"\s*:/.test(head);
}

async function* importItems(files: FileIndex, report: DatasetReport): AsyncGenerator<DatasetItem> {
  const claims = new Claims();
  const earlier = new Set<Content>();
  for (const file of await instancesFiles(files)) {
    const dataset = await parseCoco(file);
    const images = recordsIn(dataset['images']);
    report.expectedImages = (report.expectedImages ?? 0) + images.length;
    const info = dataset['info'];
    report.datasetName ??= isRecord(info) ? nameIn(info['description']) : null;
    const own: Content[] = [];
    const items = itemsOf(dataset, images, file.path, { files, claims, earlier, report });
    const placed = sequencePlaces(dataset, report.datasetName ?? sequenceNameOf(folderOf(file.path)));
    for await (const item of placed ? settledItems(items) : items) {
      own.push(item.content);
      yield item;
    }
    for (const content of own) earlier.add(content);
  }
}

/** The dataset's name from its description; null if the description is a longer text and not a name. */
function nameIn(description: unknown): string | null {
  const name = typeof description === 'string' ? description.trim() : '';
  return name !== '' && name.length <= longestName && !name.includes('\n') ? name : null;
}

async function parseCoco(file: ListedFile): Promise<JsonRecord> {
  try {
    const value: unknown = JSON.parse(decodeText(await readAll(file, longestJsonBytes)).text);
    if (isRecord(value)) return value;
    throw new TypeError(`it contains no object, but ${shown(value)}`);
  } catch (error) {
    throw new DatasetError('unreadable-file', `${file.path} cannot be read as COCO: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function* itemsOf(
  dataset: JsonRecord,
  images: readonly unknown[],
  path: string,
  context: { files: FileIndex; claims: Claims; earlier: ReadonlySet<Content>; report: DatasetReport },
): AsyncGenerator<DatasetItem> {
  const { files, earlier, report } = context;
  const labels = labelsOf(dataset, path, report);
  const annotations = annotationsByImage(dataset, images, path, report);
  const factsOf = cocoImageFacts(dataset, path, report.datasetName);
  const split = splitOfPath(path);
  const prefers = (candidate: string) => split !== null && splitOfPath(folderOf(candidate)) === split;
  const isRepeated = (name: string): boolean => {
    const { file } = earlier.size > 0 ? files.find(name, folderOf(path), prefers) : { file: null };
    return file !== null && earlier.has(file);
  };
  let [repeated, crowdCount] = [0, 0];
  for (const image of images) {
    const name = isRecord(image) ? image['file_name'] : undefined;
    if (!isRecord(image) || typeof name !== 'string' || name === '') {
      report.error(path, null, `An image has no “file_name”: ${shown(image)}.`);
      continue;
    }
    // Captions and key points are in separate files that list the same pictures again.
    if (isRepeated(name)) {
      repeated++;
      continue;
    }
    const keys = [image['content_id'], image['sha256'], image['hash']];
    const picture = claimPicture(name, folderOf(path), context, { file: path, line: null }, { prefers, keys });
    if (!picture) continue;
    const found = annotations.get(idOf(image['id'])) ?? [];
    const declared = declaredSize(image);
    const header = found.length > 0 ? await readImageSize(picture) : null;
    const stated = statedPicture(declared, header);
    if (stated.orientation !== 1) report.note(path, null, turnedNote(name, stated));
    const { sizePx } = stated;
    if (sizePx === null && found.length > 0) {
      report.error(
        path,
        null,
        `${shown(name)} has no width and height, and its file does not tell them; its boxes are left out.`,
      );
    }
    const boxSizePx = declared ?? sizePx;
    const areaScale = areaScaleOf(declared, header);
    const [boxes, crowds]: [DatasetBox[], DatasetBox[]] = [[], []];
    for (const one of boxSizePx === null ? [] : found) {
      const box = boxOf(one, boxSizePx!, labels, { name, path, report });
      if (box) (isCrowd(one) ? crowds : boxes).push(withArea(box, one['area'], boxSizePx!, areaScale));
    }
    crowdCount += crowds.length;
    noteManyAreas([...boxes, ...crowds], name, path, report);
    const shapes = {
      boxes: turnedWithPicture(boxes, stated),
      ...(crowds.length > 0 && { crowds: turnedWithPicture(crowds, stated) }),
    };
    yield itemOf(image, picture, { sizePx, ...shapes, ...factsOf(image, picture) });
  }
  if (crowdCount > 0)
    report.note(path, null, `Annotations that are crowds (iscrowd 1), not single objects: ${crowdCount}. They are not boxes; what a model finds there is not false.`); // prettier-ignore
  if (repeated > 0) {
    report.note(path, null, `${repeated} of its pictures are in a file that came before; its own boxes are left out.`);
  }
}

/**
 * What a COCO file records of an image besides its boxes: the part that it is of, its video, when it was captured.
 *
 * @param path of the file
 * @param name for a video without a name; null: that of the folder
 */
export function cocoImageFacts(
  dataset: JsonRecord,
  path: string,
  name: string | null,
): (image: JsonRecord, picture: Pick<ListedFile, 'path'>) => ImageFacts {
  const split = splitOfPath(path);
  const placeOf = sequencePlaces(dataset, name ?? sequenceNameOf(folderOf(path)));
  return (image, picture) => {
    const sequence = placeOf?.(image);
    return {
      split: split ?? splitOfPath(folderOf(picture.path)),
      capturedAt: parseTime(image['date_captured']),
      ...(sequence && { sequence }),
    };
  };
}

type ImageFacts = Pick<DatasetItem, 'split' | 'sequence' | 'capturedAt'>;

function itemOf(
  image: JsonRecord,
  picture: ListedFile,
  found: ImageFacts & Pick<DatasetItem, 'sizePx' | 'boxes' | 'crowds'>,
): DatasetItem {
  const contentId = image['content_id'];
  return {
    contentId: typeof contentId === 'string' && contentId !== '' ? contentId : picture.path,
    fileName: baseNameOf(picture.path),
    content: picture,
    classifications: [],
    tags: [],
    origin: {},
    ...found,
  };
}

function boxOf(
  annotation: JsonRecord,
  { widthPx, heightPx }: SizePx,
  labels: ReadonlyMap<string, string>,
  { name, path, report }: { name: string; path: string; report: DatasetReport },
): DatasetBox | null {
  const which = `Annotation ${shown(annotation['id'])} of ${shown(name)}`;
  const categoryId = annotation['category_id'];
  const label = labels.get(idOf(categoryId));
  if (label === undefined) {
    report.error(path, null, `${which} is of category ${shown(categoryId)}, which “categories” does not list.`);
    return null;
  }
  if (isCrowd(annotation) && label.length > longestCrowdLabel) {
    report.error(path, null, `${which} is a crowd (iscrowd 1), whose label of ${label.length} characters is too long to keep: it has at most ${longestCrowdLabel}; left out.`); // prettier-ignore
    return null;
  }
  countLost(annotation, report);
  let bbox: readonly unknown[] = recordsIn(annotation['bbox']);
  if (bbox.length !== 4) {
    const around = bbox.length === 0 ? boxOfPolygons(annotation['segmentation']) : null;
    if (around === null) {
      report.error(path, null, `${which} has no “bbox” of four numbers, but ${shown(annotation['bbox'])}.`);
      return null;
    }
    report.note(path, null, `${which} has no “bbox”; the box around its polygons was taken.`);
    bbox = around;
  }
  const [x, y, width, height] = bbox.map((value) => (typeof value === 'number' ? value : NaN)) as [
    number,
    number,
    number,
    number,
  ];
  const corners = [x / widthPx, y / heightPx, (x + width) / widthPx, (y + height) / heightPx] as const;
  const box = acceptBox({ label, corners, written: bbox, confidence: annotation['score'] }, report, path, null);
  const track = trackOf(annotation);
  return box && track ? { ...box, track } : box;
}

const isCrowd = ({ iscrowd }: JsonRecord): boolean => Boolean(iscrowd);

/** Counts the parts of an annotation that a box cannot hold. */
function countLost({ segmentation, keypoints, attributes, caption }: JsonRecord, report: DatasetReport): void {
  const isPolygon = recordsIn(segmentation).some((ring) => recordsIn(ring).length > 0);
  if (isPolygon) report.lose('polygons');
  else if (isRecord(segmentation)) report.lose('masks');
  if (recordsIn(keypoints).length > 0) report.lose('keyPoints');
  if (typeof caption === 'string') report.lose('captions');
  if (!isRecord(attributes)) return;
  // CVAT writes `occluded` with every box, and also a `rotation` of 0: these are not lost attributes.
  const { occluded, rotation, track_id: _track, keyframe: _key, ...others } = attributes;
  if (typeof rotation === 'number' && rotation !== 0) report.lose('turned');
  if (occluded === true || Object.keys(others).length > 0) report.lose('attributes');
}

function labelsOf(dataset: JsonRecord, path: string, report: DatasetReport): Map<string, string> {
  const labels = new Map<string, string>();
  for (const category of recordsIn(dataset['categories'])) {
    const { id, name } = isRecord(category) ? category : {};
    const isName = (typeof name === 'string' && name.trim() !== '') || typeof name === 'number';
    if (isName) {
      labels.set(idOf(id), String(name));
      report.addClass(String(name), classId(id));
    } else report.error(path, null, `A category has no name: ${shown(category)}.`);
  }
  return labels;
}

function annotationsByImage(
  dataset: JsonRecord,
  images: readonly unknown[],
  path: string,
  report: DatasetReport,
): Map<string, JsonRecord[]> {
  const byImage = new Map<string, JsonRecord[]>();
  for (const image of images) if (isRecord(image)) byImage.set(idOf(image['id']), []);
  for (const annotation of recordsIn(dataset['annotations'])) {
    const of = isRecord(annotation) ? byImage.get(idOf(annotation['image_id'])) : undefined;
    if (isRecord(annotation) && of) of.push(annotation);
    else report.error(path, null, `An annotation belongs to no image of “images”: ${shown(annotation)}.`);
  }
  return byImage;
}

function declaredSize(image: JsonRecord): SizePx | null {
  const { width, height } = image;
  const isSize = typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0;
  return isSize ? { widthPx: width, heightPx: height } : null;
}

/** An id as text, because tools write the same id as 7 in one place and as "7" in another. */
function idOf(id: unknown): string {
  return typeof id === 'number' || typeof id === 'string' ? String(id) : JSON.stringify(id ?? null);
}
