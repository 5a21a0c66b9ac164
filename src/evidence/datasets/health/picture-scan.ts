import type { SizePx } from '../item/dataset-item.ts';
import type { Orientation } from '../image-size/exif-orientation.ts';
import type { PictureStatistics } from './picture-statistics.ts';

/** The result of scanning one picture. */
export interface PictureScan {
  /** content id */
  readonly id: string;
  /** difference hash; null if this browser cannot decode the picture */
  readonly hash: bigint | null;
  /** null like the hash */
  readonly statistics: PictureStatistics | null;
  /** size of the upright picture */
  readonly sizePx: SizePx | null;
  readonly orientation: Orientation;
}
