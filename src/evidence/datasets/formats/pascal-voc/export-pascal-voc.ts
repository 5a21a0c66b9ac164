import { utf8ToBytes } from '@noble/hashes/utils.js';
import { contentOf, generatedContent } from '../../item/content.ts';
import type { DatasetBox, DatasetEntry, DatasetItem, SizePx } from '../../item/dataset-item.ts';
import { nameImage, sizeOf } from '../export-image.ts';
import type { ExportOptions } from '../../item/export-options.ts';
import { splitExtension } from '../../item/inner-path.ts';
import { labelsFile } from '../../files/labels-file.ts';
import { UniqueNames } from '../../files/unique-names.ts';
import { escapedXml } from '../escaped-xml.ts';

/**
 * Writes the layout of the Pascal VOC development kit (VOC2012 devkit documentation §2 and §8): `JPEGImages/`,
 * `Annotations/` with an XML file for each picture, `ImageSets/Main/` with the names in each split (`trainval` without
 * splits). Corners are integer pixels, counted from 1, and both are inside the box: a box from edge 10 to edge 20 is
 * 11..20. A box thinner than a pixel is written as one pixel around its centre, with decimals. `depth` is always 3,
 * because pictures are not decoded here.
 */
export async function* exportPascalVoc(
  items: AsyncIterable<DatasetItem>,
  options: ExportOptions,
): AsyncGenerator<DatasetEntry> {
  const names = new UniqueNames();
  const stemsOf = new Map<string, string[]>();
  for await (const item of items) {
    const sizePx = await sizeOf(item, options.report);
    if (sizePx === null) continue;
    const fileName = await nameImage(item, names);
    const [stem] = splitExtension(fileName);
    const list = item.split ?? 'trainval';
    const stems = stemsOf.get(list);
    if (stems) stems.push(stem);
    else stemsOf.set(list, [stem]);
    const xml = annotationXml(item.boxes, fileName, sizePx, options.datasetName);
    yield { path: `JPEGImages/${fileName}`, content: item.content };
    yield { path: `Annotations/${stem}.xml`, content: contentOf(utf8ToBytes(xml)) };
  }
  for (const [list, stems] of stemsOf) {
    yield {
      path: `ImageSets/Main/${list}.txt`,
      content: generatedContent(() => [utf8ToBytes(`${stems.join('\n')}\n`)]),
    };
  }
  yield* labelsFile(options.classes);
}

function annotationXml(boxes: readonly DatasetBox[], fileName: string, sizePx: SizePx, datasetName: string): string {
  return [
    '<annotation>',
    '  <folder>JPEGImages</folder>',
    `  <filename>${escapedXml(fileName)}</filename>`,
    `  <source><database>${escapedXml(datasetName)}</database></source>`,
    `  <size><width>${sizePx.widthPx}</width><height>${sizePx.heightPx}</height><depth>3</depth></size>`,
    '  <segmented>0</segmented>',
    ...boxes.map((box) => objectXml(box, sizePx)),
    '</annotation>',
    '',
  ].join('\n');
}

function objectXml(box: DatasetBox, { widthPx, heightPx }: SizePx): string {
  const [xMin, xMax] = inclusivePixels(box.xMinNormalized * widthPx, box.xMaxNormalized * widthPx);
  const [yMin, yMax] = inclusivePixels(box.yMinNormalized * heightPx, box.yMaxNormalized * heightPx);
  return [
    '  <object>',
    `    <name>${escapedXml(box.label)}</name>`,
    '    <pose>Unspecified</pose>',
    '    <truncated>0</truncated>',
    '    <difficult>0</difficult>',
    `    <bndbox><xmin>${xMin}</xmin><ymin>${yMin}</ymin><xmax>${xMax}</xmax><ymax>${yMax}</ymax></bndbox>`,
    '  </object>',
  ].join('\n');
}

/** Converts edges to the first and last pixel inside, counted from 1. Rounding moves an edge by at most half a pixel. */
function inclusivePixels(minPx: number, maxPx: number): [first: number, last: number] {
  const first = Math.round(minPx) + 1;
  const last = Math.round(maxPx);
  if (last >= first) return [first, last];
  const middle = Number(((minPx + maxPx) / 2 + 0.5).toFixed(4));
  return [middle, middle];
}
