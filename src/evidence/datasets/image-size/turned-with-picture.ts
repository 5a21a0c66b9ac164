import type { DatasetBox, SizePx } from '../item/dataset-item.ts';
import { shown } from '../item/dataset-report.ts';
import { swapsSides, type Orientation } from './exif-orientation.ts';
import type { ImageHeader } from './image-header.ts';
import { uprightBox } from './upright-box.ts';

/** The size that an annotation file states for a picture, converted to the upright picture. */
export interface StatedPicture {
  readonly sizePx: SizePx | null;
  /** the orientation to apply to the file's boxes; 1 = none */
  readonly orientation: Orientation;
}

/**
 * Detects annotations of tools that ignore EXIF: their sizes and boxes are those of the stored picture. If the stated
 * size equals the stored one and the orientation swaps the sides, the boxes must be rotated like the picture.
 */
export function statedPicture(stated: SizePx | null, header: ImageHeader | null): StatedPicture {
  if (stated === null || header === null) return { sizePx: stated ?? header?.sizePx ?? null, orientation: 1 };
  const { stored, orientation } = header;
  const isStored = stated.widthPx === stored.widthPx && stated.heightPx === stored.heightPx;
  const isTurned = swapsSides(orientation) && isStored && stored.widthPx !== stored.heightPx;
  return isTurned ? { sizePx: header.sizePx, orientation } : { sizePx: stated, orientation: 1 };
}

/** The note that a picture's boxes were rotated. */
export function turnedNote(name: string, { sizePx, orientation }: StatedPicture): string {
  return `The boxes of ${shown(name)} belong to the picture as it is stored; turned to how it is shown, ${sizePx?.widthPx}×${sizePx?.heightPx} (EXIF orientation ${orientation}).`;
}

/** Whether the annotations were made of the picture in another size. */
export function isResized(stated: SizePx | null, header: ImageHeader | null): boolean {
  if (!stated || !header) return false;
  const isOf = ({ widthPx, heightPx }: SizePx): boolean => widthPx === stated.widthPx && heightPx === stated.heightPx;
  return !isOf(header.stored) && !isOf(header.sizePx);
}

export function turnedWithPicture(boxes: readonly DatasetBox[], { orientation }: StatedPicture): readonly DatasetBox[] {
  return orientation === 1 ? boxes : boxes.map((box) => uprightBox(box, orientation));
}
