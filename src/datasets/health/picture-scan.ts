import type { SizePx } from '../dataset-item.ts';
import type { Orientation } from '../image-size/exif-orientation.ts';

/** What one scan of a picture tells. */
export interface PictureScan {
  /** content id */
  readonly id: string;
  /** difference hash; null for a picture that this browser cannot decode */
  readonly hash: bigint | null;
  /** of the upright picture */
  readonly sizePx: SizePx | null;
  readonly orientation: Orientation;
}
