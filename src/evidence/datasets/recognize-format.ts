import { readHead } from './item/content.ts';
import { decodeText } from './files/decode-text.ts';
import type { FileIndex } from './files/file-index.ts';
import { baseNameOf, extensionOf } from './item/inner-path.ts';

/** A kind of dataset that cannot be imported, with advice on what to do. */
interface KnownFormat {
  readonly name: string;
  readonly cure: string;
  /** whether it only lacks its class names */
  readonly lacksClassNames?: true;
  /** recognized by a path, or by the beginning of a file with this extension */
  readonly path?: RegExp;
  readonly starts?: { readonly extension: string; readonly text: RegExp };
}

const asCoco = 'export it as COCO (object detection), with the images';

const knownFormats: readonly KnownFormat[] = [
  {
    name: 'VGG Image Annotator',
    cure: asCoco,
    starts: { extension: '.json', text: /"(_via_[a-z_]+|__VIA_PROJECT_ID__|region_attributes|shape_attributes)"/ },
  },
  {
    name: 'VGG Image Annotator',
    cure: asCoco,
    starts: { extension: '.csv', text: /(^|,)"?region_shape_attributes\b/m },
  },
  { name: 'Supervisely', cure: asCoco, starts: { extension: '.json', text: /"(classTitle|classId)"\s*:/ } },
  { name: 'Labelbox', cure: asCoco, starts: { extension: '.ndjson', text: /"data_row"\s*:/ } },
  { name: 'Labelbox', cure: asCoco, starts: { extension: '.json', text: /"(data_row|Labeled Data)"\s*:/ } },
  {
    name: 'V7 Darwin',
    cure: asCoco,
    starts: { extension: '.json', text: /"item"\s*:[\s\S]*"slots"\s*:|"bounding_box"\s*:\s*\{/ },
  },
  { name: 'VoTT', cure: asCoco, starts: { extension: '.json', text: /"regions"\s*:[\s\S]*"boundingBox"\s*:/ } },
  {
    name: 'FiftyOne',
    cure: 'export it as fiftyone.types.COCODetectionDataset',
    starts: { extension: '.json', text: /"_cls"\s*:/ },
  },
  {
    name: 'a list of COCO results',
    cure: 'put them as “annotations” into the file with its “images” and “categories”',
    starts: { extension: '.json', text: /^\s*\[\s*\{[^}]*"image_id"\s*:/ },
  },
  {
    name: 'Datumaro',
    cure: 'export it as “COCO 1.0”',
    starts: { extension: '.json', text: /"categories"\s*:\s*\{\s*"label"/ },
  },
  { name: 'CreateML', cure: asCoco, starts: { extension: '.json', text: /"coordinates"\s*:\s*\{/ } },
  { name: 'BDD100K', cure: 'convert it to COCO', starts: { extension: '.json', text: /"box2d"\s*:/ } },
  { name: 'KITTI', cure: 'convert it to COCO or YOLO', path: /(^|\/)label_2\/[^/]+\.txt$/i },
  { name: 'Cityscapes', cure: 'convert it to COCO', path: /_gt(Fine|Coarse)_polygons\.json$/ },
  { name: 'WIDER FACE', cure: 'convert it to COCO or YOLO', path: /(^|\/)wider_face_\w+_bbx_gt\.txt$/i },
  {
    name: 'a manifest of SageMaker Ground Truth',
    cure: 'convert it to COCO, with the images',
    starts: { extension: '.manifest', text: /"source-ref"\s*:/ },
  },
  { name: 'TFRecord', cure: asCoco, path: /\.(tfrecord|tfrecords)(-\d+-of-\d+)?$/i },
  { name: 'Parquet', cure: 'write it out as pictures with a CSV of boxes, or as COCO', path: /\.parquet$/i },
  { name: 'a MATLAB file', cure: 'write it out as a CSV of boxes', path: /\.mat$/i },
  {
    name: 'an archive of another kind than zip',
    cure: 'unpack it into a folder, and import that',
    path: /\.(rar|7z|tar|tgz|gz|bz2|xz)$/i,
  },
  {
    name: 'YOLO without its names',
    cure: 'put its data.yaml or a classes.txt, a label a line, beside the labels',
    lacksClassNames: true,
    path: /(^|\/)labels\/.+\.txt$/i,
    starts: { extension: '.txt', text: /^\s*\d+(\s+\d*\.?\d+(e-?\d+)?){4,}\s*(\n|$)/i },
  },
];

const headBytes = 16 * 1024;
const mostFilesOfAKind = 5;

/** The kind of dataset that a listing without a matching format seems to be. */
export interface RecognizedFormat {
  /** the kind and the advice; '' if unknown */
  readonly sentence: string;
  /** whether these are YOLO labels that only lack their class names */
  readonly lacksClassNames: boolean;
}

export async function recognizeFormat({ files }: FileIndex): Promise<RecognizedFormat> {
  const heads = new Map<string, string[]>();
  for (const extension of ['.json', '.ndjson', '.manifest', '.csv', '.txt']) {
    const some = files.filter(({ path }) => extensionOf(path) === extension).slice(0, mostFilesOfAKind);
    const texts = await Promise.all(some.map(async (file) => decodeText(await readHead(file, headBytes)).text));
    heads.set(extension, texts);
  }
  const isIt = ({ path: shape, starts }: KnownFormat): boolean =>
    (shape !== undefined && files.some(({ path }) => shape.test(path) || shape.test(baseNameOf(path)))) ||
    (starts !== undefined && heads.get(starts.extension)!.some((text) => starts.text.test(text)));
  const found = knownFormats.find(isIt);
  return {
    sentence: found ? `This is ${found.name}, which is not read: ${found.cure}.` : '',
    lacksClassNames: found?.lacksClassNames ?? false,
  };
}
