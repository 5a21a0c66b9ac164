import { readAll } from '../item/content.ts';
import type { ListedFile } from '../item/dataset-item.ts';
import type { DatasetReport } from '../item/dataset-report.ts';
import { decodeText } from './decode-text.ts';

/** Larger text files are refused. Annotations of one picture and lists of pictures are far smaller. */
const longestBytes = 64 * 1024 * 1024;

/**
 * Reads a small text file in any of the known encodings. A file that is not UTF-8 is noted in the report.
 *
 * @throws RangeError for a file above 64 MB
 */
export async function readText(file: ListedFile, report: DatasetReport): Promise<string> {
  const { text, encoding } = decodeText(await readAll(file, longestBytes));
  if (encoding === 'windows-1252') report.note(file.path, null, 'The file is not UTF-8; read as windows-1252.');
  return text;
}
