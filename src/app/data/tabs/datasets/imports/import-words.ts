import { counted, numberText } from '../../../../kit/words/figures.ts';
import type { OpenedDataset } from '../../../../../../workers/datasets/client.ts';
import { missingWords } from '../../../../../evidence/datasets/face/formats.ts';
import { errorWords } from '../../../../kit/words/error-words.ts';
import type { ImportCounts } from './import-step.ts';

/** Why no format matched: what each of them misses. */
export function whyNone({ findings, fileCount }: OpenedDataset): string {
  if (fileCount === 0) return 'There are no files in it.';
  if (findings.recognized !== '') return findings.recognized;
  return `${fileCount === 1 ? 'Its one file does not start' : `None of its ${fileCount} files starts`} a dataset. ${missingWords(findings.missing)}`;
}

/** Why a picture could not be imported, or the undo failed. */
export function failureWords(error: unknown): string {
  const isOfDataset = error instanceof Error && error.name === 'DatasetError';
  return isOfDataset ? error.message : (errorWords(error)?.message ?? 'It was stopped.');
}

/**
 * "12 images imported with 40 boxes, 3 were here already, 1 failed." For annotations of stored images: "9 images annotated, 1
 * failed."
 */
export function importWords({ newCount, boxCount, hereCount, failures }: ImportCounts, isJoin = false): string {
  const failed = failures.length > 0 ? `, ${numberText(failures.length)} failed` : '';
  if (isJoin) return `${counted(hereCount, 'image')} annotated${failed}.`;
  const here = hereCount > 0 ? `, ${numberText(hereCount)} ${hereCount === 1 ? 'was' : 'were'} here already` : '';
  const boxes = boxCount > 0 ? ` with ${counted(boxCount, 'box')}` : '';
  return `${counted(newCount, 'image')} imported${boxes}${here}${failed}.`;
}
