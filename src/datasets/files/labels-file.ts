import { utf8ToBytes } from '@noble/hashes/utils.js';
import { contentOf } from '../content.ts';
import type { DatasetClass } from '../dataset-classes.ts';
import type { DatasetEntry } from '../dataset-item.ts';
import type { DatasetReport } from '../dataset-report.ts';
import type { FileIndex } from './file-index.ts';
import { baseNameOf } from './inner-path.ts';
import { linesOf } from './read-lines.ts';
import { readText } from './read-text.ts';

/**
 * The order of classes where a format has no place for it: a label a line, as label files of models are. Nothing where
 * no order was given; a label of several lines has no place in it.
 */
export function* labelsFile(classes: readonly DatasetClass[] = []): Generator<DatasetEntry> {
  const lines = classes.map(({ label }) => label).filter((label) => !/[\r\n]/.test(label));
  if (lines.length > 0) yield { path: 'labels.txt', content: contentOf(utf8ToBytes(`${lines.join('\n')}\n`)) };
}

/** Reads such a file, or CVAT's `labelmap.txt` (`label:colour:parts:actions`), where there is one beside a dataset. */
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
