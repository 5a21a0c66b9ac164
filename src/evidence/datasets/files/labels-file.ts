import { utf8ToBytes } from '@noble/hashes/utils.js';
import { contentOf } from '../item/content.ts';
import type { DatasetClass } from '../item/dataset-classes.ts';
import type { DatasetEntry } from '../item/dataset-item.ts';
import type { DatasetReport } from '../item/dataset-report.ts';
import type { FileIndex } from './file-index.ts';
import { baseNameOf } from '../item/inner-path.ts';
import { linesOf } from './read-lines.ts';
import { readText } from './read-text.ts';

/**
 * Writes `labels.txt` for formats that cannot store the order of classes: one label a line, as in the label files of
 * models. Writes nothing if no order was given. A label with a line break is left out.
 */
export function* labelsFile(classes: readonly DatasetClass[] = []): Generator<DatasetEntry> {
  const lines = classes.map(({ label }) => label).filter((label) => !/[\r\n]/.test(label));
  if (lines.length > 0) yield { path: 'labels.txt', content: contentOf(utf8ToBytes(`${lines.join('\n')}\n`)) };
}

/** Reads the classes from `labels.txt`, or from CVAT's `labelmap.txt` (`label:colour:parts:actions`), if either exists. */
export async function readLabelsFile(files: FileIndex, report: DatasetReport): Promise<void> {
  const file = files.files.find(({ path }) => /^label(s|map)\.txt$/i.test(baseNameOf(path)));
  if (!file) return;
  const isMap = /map/i.test(baseNameOf(file.path));
  for (const { text } of linesOf(await readText(file, report))) {
    if (text === null || text.trim() === '') continue;
    if (!isMap) report.addClass(text);
    else if (!text.startsWith('#')) report.addClass(text.replace(/(:[^:]*){3}$/, ''));
  }
}
