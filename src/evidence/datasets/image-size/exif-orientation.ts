/** EXIF orientation: how to show a stored picture. 1: as stored; 2..8: mirrored or rotated (EXIF 2.32 §4.6.4, tag 0x0112). */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const orientationTag = 0x0112;

/** The orientation in the TIFF structure of EXIF, and the offset of its entry. */
export interface ExifOrientation {
  readonly orientation: Orientation;
  readonly at: number;
}

/** Reads the orientation from a TIFF structure; null if it has no valid one. */
export function readExifOrientation(tiff: Uint8Array): ExifOrientation | null {
  if (tiff.length < 14) return null;
  const littleEndian = tiff[0] === 0x49 && tiff[1] === 0x49;
  if (!littleEndian && !(tiff[0] === 0x4d && tiff[1] === 0x4d)) return null;
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const directoryAt = view.getUint32(4, littleEndian);
  if (directoryAt + 2 > tiff.length) return null;
  const count = view.getUint16(directoryAt, littleEndian);
  for (let i = 0; i < count; i++) {
    const at = directoryAt + 2 + 12 * i;
    if (at + 12 > tiff.length) return null;
    if (view.getUint16(at, littleEndian) !== orientationTag) continue;
    const value = view.getUint16(at + 8, littleEndian);
    return value >= 1 && value <= 8 ? { orientation: value as Orientation, at } : null;
  }
  return null;
}

/** Whether the upright picture has the stored one's width and height swapped. */
export function swapsSides(orientation: Orientation): boolean {
  return orientation >= 5;
}
