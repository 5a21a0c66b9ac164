import { counted } from '../../kit/words/figures.ts';
import { nameSome } from '../../kit/words/name-some.ts';
import type { Receipt } from './file-owners.ts';

/** The result for files in words; `cure` is '' if nothing is left to do. */
export function receiptInWords({ taken, leftOut }: Receipt): { readonly message: string; readonly cure: string } {
  const left = leftOut.map(
    ({ names, why }) => `Left out: ${counted(names.length, 'file')} (${nameSome(names)}): ${why.replace(/\.$/, '')}.`,
  );
  const came = taken.map(({ kind, names }) => `${counted(names.length, kind)} (${nameSome(names)})`);
  if (came.length > 0) return { message: `Taken: ${came.join(', ')}.`, cure: left.join(' ') };
  if (left.length === 0) return { message: 'Nothing was taken: it held no file.', cure: '' };
  return {
    message: `Nothing was taken. ${left.join(' ')}`,
    cure: 'Use JPEG, PNG or WebP images, MP4 or WebM video, an .onnx or .tflite model, a .json configuration or a .txt label list.',
  };
}
