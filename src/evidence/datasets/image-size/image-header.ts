import type { SizePx } from '../item/dataset-item.ts';
import type { Orientation } from './exif-orientation.ts';

export type ImageKind = 'jpeg' | 'png' | 'webp';

/** The fields of a picture's header, read without decoding the picture. */
export interface ImageHeader {
  readonly kind: ImageKind;
  /** size of the stored pixels, before the orientation is applied */
  readonly stored: SizePx;
  readonly orientation: Orientation;
  /** offset in the file of the 12-byte EXIF entry with the orientation; null if there is none */
  readonly orientationAt: number | null;
  /**
   * Size of the upright picture, after the orientation is applied. Datasets follow EXIF, as browsers, labelling tools,
   * OpenCV and Ultralytics do: their sizes and boxes are those of the upright picture. The machine ignores EXIF, so
   * boxes that it found in stored pixels are converted by `uprightBox`.
   */
  readonly sizePx: SizePx;
}

export type StoredHeader = Omit<ImageHeader, 'sizePx'>;
