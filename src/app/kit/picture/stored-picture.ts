import { withoutOrientation } from '../../../evidence/datasets/face/image-size.ts';

/**
 * A picture as it is shown everywhere: as it is stored, since the machine and its boxes know of no EXIF orientation. The
 * browser would turn it. Whoever shows a stored picture, as an address or as a bitmap, takes it through this.
 * @returns the same blob if nothing turns it
 */
export async function asStored(image: Blob): Promise<Blob> {
  const bytes = new Uint8Array(await image.arrayBuffer());
  const stored = withoutOrientation(bytes);
  return stored === bytes ? image : new Blob([stored], { type: image.type });
}
