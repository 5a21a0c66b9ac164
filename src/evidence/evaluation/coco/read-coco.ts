import { DetectionSetBuilder, TruthSetBuilder, type Box } from '../build-sets.ts';
import type { DetectionSet, EvaluationSpace, TruthSet } from '../evaluation.ts';

/** A COCO file that cannot be evaluated as it is. */
export class CocoFileError extends Error {
  override readonly name = 'CocoFileError';
  readonly code = 'unreadable-file';
}

/** One image of a truth file. */
export interface CocoImage {
  readonly id: number;
  /** '' where the file gives none */
  readonly fileName: string;
  /** null where the file gives none */
  readonly sizePx: { readonly widthPx: number; readonly heightPx: number } | null;
}

/** A truth file as columns, with what its ids mean. */
export interface CocoTruth {
  readonly space: EvaluationSpace;
  readonly truth: TruthSet;
  /** by image number: ascending ids */
  readonly images: readonly CocoImage[];
  readonly imageOfId: ReadonlyMap<number, number>;
  /** label number by category id */
  readonly labelOfId: ReadonlyMap<number, number>;
  /** annotations of images or categories that the file does not list; pycocotools passes over them, too */
  readonly strays: number;
  /** annotations whose box has a negative width or height */
  readonly negativeBoxes: number;
}

/**
 * Reads COCO's truth (`images`, `categories`, `annotations`) without renumbering anything: images and labels stand in
 * the order of their ids, on which ties hang.
 *
 * @param value the parsed JSON
 * @returns columns, and what ids mean
 * @throws CocoFileError for another shape, ids that are no whole numbers or are given twice, and boxes that are none
 * @example
 * const images = [{ id: 7, file_name: 'a.jpg', width: 640, height: 480 }];
 * const { imageOfId, labelOfId } = readCocoTruth({ images, categories: [{ id: 3, name: 'cat' }], annotations: [] });
 * [imageOfId.get(7), labelOfId.get(3)]; // => [0, 0]
 */
export function readCocoTruth(value: unknown): CocoTruth {
  const file = recordOf(value, 'The truth');
  const listed = listOf(file['images'], 'images').map((image) => recordOf(image, 'An image'));
  const images = listed
    .map((image): CocoImage => ({
      id: idOf(image['id'], 'An image'),
      fileName: textOf(image['file_name']),
      sizePx: sizeOf(image['width'], image['height']),
    }))
    .sort((a, b) => a.id - b.id);
  const categories = listOf(file['categories'], 'categories')
    .map((category) => recordOf(category, 'A category'))
    .map((category) => ({ id: idOf(category['id'], 'A category'), name: textOf(category['name']) }))
    .sort((a, b) => a.id - b.id);
  const imageOfId = numbersOf(images, 'image');
  const labelOfId = numbersOf(categories, 'category');
  const builder = new TruthSetBuilder();
  let [strays, negativeBoxes] = [0, 0];
  for (const one of listOf(file['annotations'] ?? [], 'annotations')) {
    const annotation = recordOf(one, 'An annotation');
    const where = `Annotation ${String(annotation['id'])}`;
    const image = imageOfId.get(idOf(annotation['image_id'], `${where}, image_id`));
    const label = labelOfId.get(idOf(annotation['category_id'], `${where}, category_id`));
    if (image === undefined || label === undefined) {
      strays++;
      continue;
    }
    const { area } = annotation;
    const box = boxOf(annotation['bbox'], where);
    if (box[2] < 0 || box[3] < 0) negativeBoxes++;
    builder.add(image, label, box, {
      ...(typeof area === 'number' && Number.isFinite(area) && { area }),
      isCrowd: Boolean(annotation['iscrowd']),
      isIgnored: Boolean(annotation['ignore']),
    });
  }
  const space = {
    imageCount: images.length,
    labels: categories.map(({ id, name }) => (name === '' ? String(id) : name)),
  };
  return { space, truth: builder.build(), images, imageOfId, labelOfId, strays, negativeBoxes };
}

/**
 * Says what of a truth file is probably not meant as it stands. The figures are pycocotools' all the same.
 *
 * @param truth of `readCocoTruth`
 * @returns a sentence each; none: nothing is odd
 * @example
 * const categories = [{ id: 1, name: 'cat' }, { id: 2, name: 'Cat' }];
 * cocoRemarks(readCocoTruth({ images: [], categories, annotations: [] }))[0]; // => 'Two categories have one name, "cat" and "Cat".'
 */
export function cocoRemarks({ space, images, strays, negativeBoxes }: CocoTruth): string[] {
  const labels = firstTwice(space.labels, (label) => label.toLowerCase());
  const files = firstTwice(
    images.filter(({ fileName }) => fileName !== ''),
    ({ fileName }) => fileName,
  );
  return [
    ...(strays > 0 ? [`${strays} annotations are of images or categories that it does not list.`] : []),
    ...(labels ? [`Two categories have one name, "${labels[0]}" and "${labels[1]}".`] : []),
    ...(files
      ? [`One picture has two ids: "${files[0].fileName}" is image ${files[0].id} and image ${files[1].id}.`]
      : []),
    ...(negativeBoxes > 0 ? [`${negativeBoxes} boxes have a negative width or height.`] : []),
  ];
}

/** The first two that have one key; null: each has its own. */
function firstTwice<T>(list: readonly T[], keyOf: (one: T) => string): readonly [T, T] | null {
  const seen = new Map<string, T>();
  for (const one of list) {
    const before = seen.get(keyOf(one));
    if (before !== undefined) return [before, one];
    seen.set(keyOf(one), one);
  }
  return null;
}

/** Results as columns. */
export interface CocoResults {
  readonly detections: DetectionSet;
  /** results of categories that the truth does not list: in no figure */
  readonly strays: number;
}

/**
 * Reads COCO's results: a list of `image_id`, `category_id`, `bbox`, `score`.
 *
 * @param value the parsed JSON
 * @param truth whose ids the results use
 * @returns columns
 * @throws CocoFileError for another shape, for an image that the truth does not list, and for numbers that are none
 * @example
 * const truth = readCocoTruth({ images: [{ id: 7 }], categories: [{ id: 3, name: 'cat' }], annotations: [] });
 * const results = [{ image_id: 7, category_id: 3, bbox: [0, 0, 10, 10], score: 0.5 }];
 * readCocoResults(results, truth).strays; // => 0
 */
export function readCocoResults(value: unknown, { imageOfId, labelOfId }: CocoTruth): CocoResults {
  const builder = new DetectionSetBuilder();
  let strays = 0;
  for (const [at, one] of listOf(value, 'results').entries()) {
    const where = `Result ${at + 1}`;
    const { image_id: imageId, category_id: categoryId, bbox, score } = recordOf(one, where);
    const image = imageOfId.get(idOf(imageId, `${where}, image_id`));
    if (image === undefined) {
      throw new CocoFileError(
        `${where} is of image ${String(imageId)}, which the truth does not list: are these results of another dataset?`,
      );
    }
    if (typeof score !== 'number' || !Number.isFinite(score))
      throw new CocoFileError(`${where} has no score, but ${shown(score)}.`);
    const label = labelOfId.get(idOf(categoryId, `${where}, category_id`));
    if (label === undefined) strays++;
    else builder.add(image, label, boxOf(bbox, where), score);
  }
  return { detections: builder.build(), strays };
}

function numbersOf(listed: readonly { readonly id: number }[], kind: string): Map<number, number> {
  const numbers = new Map(listed.map(({ id }, number) => [id, number]));
  if (numbers.size === listed.length) return numbers;
  const twice = listed.find(({ id }, number) => numbers.get(id) !== number)!;
  throw new CocoFileError(`Two entries have the ${kind} id ${twice.id}; give each its own.`);
}

function recordOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new CocoFileError(`${what} is not an object, but ${shown(value)}.`);
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  throw new CocoFileError(`A list of ${name} is wanted, got ${shown(value)}.`);
}

function idOf(value: unknown, what: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new CocoFileError(`${what} wants a whole number as id, got ${shown(value)}.`);
}

function boxOf(value: unknown, where: string): Box {
  if (Array.isArray(value) && value.length === 4 && value.every((one) => Number.isFinite(one)))
    return value as unknown as Box;
  throw new CocoFileError(`${where} has no “bbox” of four numbers, but ${shown(value)}.`);
}

function sizeOf(widthPx: unknown, heightPx: unknown): CocoImage['sizePx'] {
  const isSize = typeof widthPx === 'number' && typeof heightPx === 'number' && widthPx > 0 && heightPx > 0;
  return isSize ? { widthPx, heightPx } : null;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
