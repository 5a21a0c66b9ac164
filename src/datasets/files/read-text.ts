import { readAll } from '../content.ts';
import type { ListedFile } from '../dataset-item.ts';
import type { DatasetReport } from '../dataset-report.ts';
import { decodeText } from './decode-text.ts';

/** Annotations of one picture, or a list of pictures: far above any that a person or a tool has written. */
const longestBytes = 64 * 1024 * 1024;

/**
 * The text of a small file, whatever it was saved as; notes bytes that are no UTF-8.
 *
 * @throws RangeError for a file above 64 MB
 */
export async function readText(file: ListedFile, report: DatasetReport): Promise<string> {
  const { text, encoding } = decodeText(await readAll(file, longestBytes));
  if (encoding === 'windows-1252') report.note(file.path, null, 'The file is no UTF-8; read as windows-1252.');
  return text;
}
