import type { SizePx } from '../dataset-item.ts';
import type { Orientation } from './exif-orientation.ts';

export type ImageKind = 'jpeg' | 'png' | 'webp';

/** What a picture's header says, nothing decoded. */
export interface ImageHeader {
  readonly kind: ImageKind;
  /** as the pixels are stored */
  readonly stored: SizePx;
  readonly orientation: Orientation;
  /** where in the file the EXIF entry of 12 bytes stands that says so; null without one */
  readonly orientationAt: number | null;
  /**
   * As the picture is shown. Datasets follow EXIF, as browsers, labelling tools, OpenCV and Ultralytics do: sizes and
   * boxes are those of the upright picture. The machine does not turn pictures; boxes that were found in stored pixels
   * go through `uprightBox`.
   */
  readonly sizePx: SizePx;
}

export type StoredHeader = Omit<ImageHeader, 'sizePx'>;
