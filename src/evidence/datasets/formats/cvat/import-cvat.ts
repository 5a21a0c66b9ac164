import { acceptBox } from '../../item/accept-box.ts';
import type { DatasetBox, DatasetItem, ListedFile, SizePx } from '../../item/dataset-item.ts';
import type { DatasetReport } from '../../item/dataset-report.ts';
import type { FileIndex } from '../../files/file-index.ts';
import { folderOf } from '../../item/inner-path.ts';
import { claimPicture, Claims, type DatasetImporter } from '../importing.ts';
import { boxAround, boxAroundTurned, partsOf, pictureItem, sizeOfNumbers } from '../picture-item.ts';
import { splitOfWord } from '../../item/split-of-path.ts';
import type { XmlElement } from '../pascal-voc/read-xml.ts';
import { annotationFiles, labelsIn, readAnnotations } from './annotation-files.ts';

/**
 * Reads CVAT for images 1.1 (docs.cvat.ai, "CVAT XML format"): `<annotations>` with an `<image>` for each picture, and the
 * edges of boxes in pixels, counted from 0. Rotated boxes and polygons become the upright box around them. A tag becomes a
 * classification.
 */
export const cvatImporter: DatasetImporter = { detect, importItems };

async function detect(files: FileIndex) {
  const first = (await annotationFiles(files)).find(({ isVideo }) => !isVideo);
  return first ? { start: first.file } : { start: null, missing: 'there is no .xml file with <annotations>' };
}

async function* importItems(files: FileIndex, report: DatasetReport): AsyncGenerator<DatasetItem> {
  const claims = new Claims();
  for (const { file, isVideo } of await annotationFiles(files)) {
    const root = isVideo ? null : await readAnnotations(file, report);
    if (!root) continue;
    for (const label of labelsIn(root)) report.addClass(label);
    const images = root.children.filter(({ name }) => name === 'image');
    report.expectedImages = (report.expectedImages ?? 0) + images.length;
    report.lose('tracks', root.children.filter(({ name }) => name === 'track').length);
    for (const image of images) {
      const at = { file: file.path, line: null };
      const picture = claimPicture(image.attributes['name'] ?? '', folderOf(file.path), { files, claims, report }, at);
      if (picture) yield await itemOf(image, picture, at, report);
    }
  }
}

function itemOf(
  image: XmlElement,
  picture: ListedFile,
  at: { readonly file: string; readonly line: null },
  report: DatasetReport,
): Promise<DatasetItem> {
  const tags = image.children.filter(({ name }) => name === 'tag');
  const shapes = image.children.filter(({ name }) => name !== 'tag');
  const said = {
    declared: sizeOfNumbers(image.attributes['width'], image.attributes['height']),
    shapeCount: shapes.length,
    boxesIn: (sizePx: SizePx) => shapes.flatMap((shape) => boxOf(shape, sizePx, at.file, report) ?? []),
    split: splitOfWord(image.attributes['subset']),
    classifications: tags.flatMap(({ attributes: { label } }) => (label ? [{ label }] : [])),
  };
  return pictureItem(picture, said, at, report);
}

function boxOf(
  { name, attributes, children }: XmlElement,
  sizePx: SizePx,
  path: string,
  report: DatasetReport,
): DatasetBox | null {
  const written = ['xtl', 'ytl', 'xbr', 'ybr'].map((edge) => attributes[edge]);
  let corners = written.map((edge) => (edge ? Number(edge) : NaN)) as [number, number, number, number];
  switch (name) {
    case 'box': {
      const turn = Number(attributes['rotation'] ?? 0);
      if (turn === 0) break;
      report.lose('turned');
      const middle = [(corners[0] + corners[2]) / 2, (corners[1] + corners[3]) / 2] as const;
      corners = [...boxAroundTurned(corners, turn, middle)];
      break;
    }
    case 'polygon':
      report.lose('polygons');
      corners = [...boxAround(pointsIn(attributes['points'] ?? ''))];
      break;
    case 'mask': {
      report.lose('masks');
      const [left, top] = [Number(attributes['left']), Number(attributes['top'])];
      corners = [left, top, left + Number(attributes['width']), top + Number(attributes['height'])];
      break;
    }
    case 'polyline':
      return (report.lose('lines'), null);
    case 'points':
      return (report.lose('points'), null);
    default:
      return (report.lose('others'), null);
  }
  if (children.some((one) => one.name === 'attribute') || attributes['occluded'] === '1') report.lose('attributes');
  return acceptBox({ label: attributes['label'], corners: partsOf(corners, sizePx), written }, report, path, null);
}

/** Parses points: `10.5,20;30,40` */
const pointsIn = (text: string): [number, number][] =>
  text
    .split(';')
    .map((point) => point.split(',').map((part) => (part.trim() === '' ? NaN : Number(part))) as [number, number]);
