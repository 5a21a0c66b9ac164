import { utf8ToBytes } from '@noble/hashes/utils.js';
import { contentOf, generatedContent } from '../../item/content.ts';
import type { DatasetBox, DatasetEntry, DatasetItem, Split } from '../../item/dataset-item.ts';
import { nameImage } from '../export-image.ts';
import { orderClasses } from '../../item/dataset-classes.ts';
import type { ExportOptions } from '../../item/export-options.ts';
import { splitExtension } from '../../item/inner-path.ts';
import { UniqueNames } from '../../files/unique-names.ts';

const splits: readonly Split[] = ['train', 'val', 'test'];

interface LabelFile {
  readonly path: string;
  readonly boxes: readonly DatasetBox[];
}

/**
 * Writes the format of Ultralytics (docs.ultralytics.com, "Object Detection Datasets Overview"): `data.yaml`,
 * `images/<split>/`, and in `labels/<split>/` a file for each picture with `class x-center y-center width height` as
 * fractions of the picture's sides. A confidence is the sixth column, as with `save_conf`. A picture without boxes gets an
 * empty file, so that it is trained as background. Pictures without a split go to `train`. `data.yaml` has no `path`, so
 * that its paths are relative to its own folder.
 */
export async function* exportYolo(
  items: AsyncIterable<DatasetItem>,
  options: ExportOptions,
): AsyncGenerator<DatasetEntry> {
  const names = new UniqueNames();
  const labelFiles: LabelFile[] = [];
  const used = new Set<Split>();
  for await (const item of items) {
    const fileName = await nameImage(item, names);
    const split = item.split ?? 'train';
    used.add(split);
    labelFiles.push({ path: `labels/${split}/${splitExtension(fileName)[0]}.txt`, boxes: item.boxes });
    yield { path: `images/${split}/${fileName}`, content: item.content };
  }
  const labels = orderClasses(
    labelFiles.flatMap(({ boxes }) => boxes.map(({ label }) => label)),
    options.classes,
  ).map(({ label }) => label);
  const numbers = new Map(labels.map((label, i) => [label, i]));
  for (const { path, boxes } of labelFiles) {
    yield {
      path,
      content: generatedContent(() => [utf8ToBytes(boxes.map((box) => labelLine(box, numbers)).join(''))]),
    };
  }
  yield { path: 'data.yaml', content: contentOf(utf8ToBytes(dataYaml(labels, used, options))) };
}

function labelLine(box: DatasetBox, numbers: ReadonlyMap<string, number>): string {
  const columns = [
    (box.xMinNormalized + box.xMaxNormalized) / 2,
    (box.yMinNormalized + box.yMaxNormalized) / 2,
    box.xMaxNormalized - box.xMinNormalized,
    box.yMaxNormalized - box.yMinNormalized,
    ...(box.confidence === undefined ? [] : [box.confidence]),
  ];
  return `${numbers.get(box.label)} ${columns.map(plainDecimal).join(' ')}\n`;
}

/** A number with eight decimals (a thousandth of a pixel at 100,000 pixels), without exponent, which some readers refuse. */
function plainDecimal(value: number): string {
  return value.toFixed(8).replace(/\.?0+$/, '');
}

/**
 * Ultralytics requires the keys `train` and `val`, and names a missing one (`check_det_dataset`). The key of an empty split
 * is left out, so that training stops: that is better than validating with training images.
 */
function dataYaml(
  labels: readonly string[],
  used: ReadonlySet<Split>,
  { datasetName, validatesOnTrain = false, report }: ExportOptions,
): string {
  const folders = splits.filter((split) => used.has(split)).map((split) => `${split}: images/${split}`);
  if (!used.has('train')) folders.push('# train is missing: there are no images to train with');
  if (!used.has('val')) {
    const learned = validatesOnTrain && used.has('train');
    folders.push(
      learned
        ? 'val: images/train # there are no others: scores come from images that were learned'
        : '# val is missing: there are no images to validate with',
    );
    report.note(
      'data.yaml',
      null,
      learned
        ? '“val” names the images of train: scores come from images that were learned.'
        : 'There are no images to validate with, and training asks for them: split the dataset first.',
    );
  }
  return [
    `# ${quoted(datasetName)}`,
    ...folders,
    `nc: ${labels.length}`,
    ...(labels.length === 0 ? ['names: {}'] : ['names:', ...labels.map((label, i) => `  ${i}: ${quoted(label)}`)]),
    '',
  ].join('\n');
}

/** A double-quoted YAML scalar: a JSON string (YAML 1.2 §1.3) with those control characters escaped that YAML forbids (§5.1). */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
