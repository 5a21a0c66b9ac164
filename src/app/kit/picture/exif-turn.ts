import { readImageHeader } from '../../../evidence/datasets/face/image-size.ts';

/** Enough bytes for a header with a colour profile and a preview; the orientation comes before both. */
const HEAD_BYTES = 512 * 1024;

const TURNS: Readonly<Record<number, string>> = {
  2: 'mirrored',
  3: 'by half a turn',
  4: 'upside down and mirrored',
  5: 'by a quarter turn and mirrored',
  6: 'by a quarter turn clockwise',
  7: 'by a quarter turn and mirrored',
  8: 'by a quarter turn anticlockwise',
};

/** How other programs rotate a picture for display, in words; '': they do not, or the picture cannot be read. */
export async function exifTurn(picture: Blob): Promise<string> {
  const head = new Uint8Array(await picture.slice(0, HEAD_BYTES).arrayBuffer());
  return TURNS[readImageHeader(head)?.orientation ?? 1] ?? '';
}
