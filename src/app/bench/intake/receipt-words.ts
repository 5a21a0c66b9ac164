import { counted } from '../../kit/words/figures.ts';
import { nameSome } from '../../kit/words/name-some.ts';
import type { Receipt } from './file-owners.ts';
import { unknownName } from './sort-files.ts';

/** What became of files, in words. */
export interface ReceiptWords {
  readonly message: string;
  /** the files left out and why, a line for each reason */
  readonly lines: readonly string[];
  /** '' if nothing is left to do */
  readonly cure: string;
}

export function receiptInWords({ taken, leftOut }: Receipt): ReceiptWords {
  const lines = leftOut.map(({ names, why }) => `${nameSome(names)}: ${why.replace(/\.$/, '')}.`);
  const came = taken.map(({ kind, names }) => `${counted(names.length, kind)} (${nameSome(names)})`);
  const left = leftOut.flatMap(({ names }) => names).length;
  if (came.length > 0) {
    const rest = left > 0 ? ` Left out: ${counted(left, 'file')}.` : '';
    return { message: `Taken: ${came.join(', ')}.${rest}`, lines, cure: '' };
  }
  if (left === 0) return { message: 'Nothing was taken: it held no file.', lines, cure: '' };
  const isUnknown = leftOut.every(({ why }) => why === unknownName);
  const cure =
    'Use JPEG, PNG or WebP images, MP4 or WebM video, an .onnx or .tflite model, a .json configuration or a .txt label list.';
  return { message: 'Nothing was taken.', lines, cure: isUnknown ? cure : '' };
}
