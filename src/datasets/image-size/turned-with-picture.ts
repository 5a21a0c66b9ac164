import type { DatasetBox, SizePx } from '../dataset-item.ts';
import { shown } from '../dataset-report.ts';
import { swapsSides, type Orientation } from './exif-orientation.ts';
import type { ImageHeader } from './image-header.ts';
import { uprightBox } from './upright-box.ts';

/** What a file states of a picture, brought to the picture as it is shown. */
export interface StatedPicture {
  readonly sizePx: SizePx | null;
  /** how boxes of the stated size have to be turned; 1 = not at all */
  readonly orientation: Orientation;
}

/**
 * Tools that ignore EXIF state the size of the stored picture, and their boxes are of that one: where the stated size is
 * the stored one and the picture is shown lying across it, the boxes turn with the picture.
 */
export function statedPicture(stated: SizePx | null, header: ImageHeader | null): StatedPicture {
  if (stated === null || header === null) return { sizePx: stated ?? header?.sizePx ?? null, orientation: 1 };
  const { stored, orientation } = header;
  const isStored = stated.widthPx === stored.widthPx && stated.heightPx === stored.heightPx;
  const isTurned = swapsSides(orientation) && isStored && stored.widthPx !== stored.heightPx;
  return isTurned ? { sizePx: header.sizePx, orientation } : { sizePx: stated, orientation: 1 };
}

/** Says that a picture's boxes were turned. */
export function turnedNote(name: string, { sizePx, orientation }: StatedPicture): string {
  return `The boxes of ${shown(name)} are of the picture as it is stored; turned to how it is shown, ${sizePx?.widthPx}×${sizePx?.heightPx} (EXIF orientation ${orientation}).`;
}

export function turnedWithPicture(boxes: readonly DatasetBox[], { orientation }: StatedPicture): readonly DatasetBox[] {
  return orientation === 1 ? boxes : boxes.map((box) => uprightBox(box, orientation));
}
