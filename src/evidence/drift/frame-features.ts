import type { PictureStatistics } from '../datasets/face/health.ts';
import type { NormalizedBox } from '../../machine/vision/face/results.ts';

/** The features of a frame that are compared. */
export interface FrameFeatures {
  /** id of the stored image */
  readonly id: string;
  readonly name: string;
  /** frames with the same group depend on each other, such as those of one video; '': nothing is known of it */
  readonly group: string;
  /** null: the picture was not scanned, or cannot be decoded */
  readonly statistics: PictureStatistics | null;
  readonly boxes: readonly BoxFeatures[];
}

export interface BoxFeatures {
  readonly label: string;
  /** part of the frame that the box covers, 0..1 */
  readonly area: number;
  /** null: a person drew it */
  readonly score: number | null;
}

/** A box with its label; `confidence` is absent where a person drew it. */
type FrameBox = NormalizedBox & { readonly label: string; readonly confidence?: number | undefined };

/** A frame as it is stored. */
export interface FrameFacts {
  readonly id: string;
  readonly name: string;
  readonly group: string;
  readonly boxes: readonly FrameBox[];
  readonly statistics: PictureStatistics | null;
}

/**
 * Takes from a frame what is compared.
 *
 * @param frame as it is stored
 * @returns its features
 * @example
 * const box = { label: 'cup', xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 0.5, yMaxNormalized: 0.5 };
 * const frame = { id: 'a', name: 'a.jpg', group: 'sequence walk', boxes: [box], statistics: null };
 * featuresOf(frame).boxes[0].area; // => 0.25
 */
export function featuresOf({ id, name, group, boxes, statistics }: FrameFacts): FrameFeatures {
  return {
    id,
    name,
    group,
    statistics,
    boxes: boxes.map(({ label, confidence, xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized }) => ({
      label,
      area: Math.max(0, xMaxNormalized - xMinNormalized) * Math.max(0, yMaxNormalized - yMinNormalized),
      score: confidence ?? null,
    })),
  };
}
