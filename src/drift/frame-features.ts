import type { PictureStatistics } from '../datasets/health/picture-statistics.ts';
import type { NormalizedBox } from '../vision/normalized-box.ts';

/** What is compared of a frame. */
export interface FrameFeatures {
  /** of the stored image */
  readonly id: string;
  readonly name: string;
  /** frames with the same group depend on each other, such as those of one video; '': this frame is independent */
  readonly group: string;
  /** null: the picture was not scanned, or cannot be decoded */
  readonly statistics: PictureStatistics | null;
  readonly boxes: readonly BoxFeatures[];
}

export interface BoxFeatures {
  readonly label: string;
  /** as a part of the frame, 0..1 */
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
  /** name of the video or burst that it is of; null: none */
  readonly sequence: string | null;
  /** when it was captured, in ms since 1970; null: unknown */
  readonly timeMs: number | null;
  /** camera that captured it; null: unknown */
  readonly source: string | null;
  readonly boxes: readonly FrameBox[];
  readonly statistics: PictureStatistics | null;
}

const minuteMs = 60_000;

/**
 * Takes from a frame what is compared. Frames of one sequence depend on each other, and so do those that one camera
 * captured in the same minute: neighbours in time show the same scene in the same light.
 *
 * @param frame as it is stored
 * @returns its features
 * @example
 * const box = { label: 'cup', xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 0.5, yMaxNormalized: 0.5 };
 * const frame = { id: 'a', name: 'a.jpg', sequence: null, timeMs: 90_000, source: 'cam', boxes: [box], statistics: null };
 * const { group, boxes } = featuresOf(frame);
 * [group, boxes[0].area]; // => ['minute 1 of cam', 0.25]
 */
export function featuresOf({ id, name, sequence, timeMs, source, boxes, statistics }: FrameFacts): FrameFeatures {
  return {
    id,
    name,
    group: dependenceGroup(sequence, timeMs, source),
    statistics,
    boxes: boxes.map(({ label, confidence, xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized }) => ({
      label,
      area: Math.max(0, xMaxNormalized - xMinNormalized) * Math.max(0, yMaxNormalized - yMinNormalized),
      score: confidence ?? null,
    })),
  };
}

/**
 * Names the frames that a frame depends on: those of one sequence, or those that one camera captured in one minute.
 *
 * @param sequence name of the video or burst that it is of; null: none
 * @param timeMs when it was captured, in ms since 1970; null: unknown
 * @param source camera that captured it; null: unknown
 * @returns equal for frames that depend on each other; '': the frame is independent
 * @example
 * dependenceGroup(null, 90_000, 'cam'); // => 'minute 1 of cam'
 */
export function dependenceGroup(sequence: string | null, timeMs: number | null, source: string | null): string {
  if (sequence !== null) return `sequence ${sequence}`;
  // Without a camera the time is that of a file: files that were copied together are not captured together.
  if (timeMs === null || source === null) return '';
  return `minute ${Math.floor(timeMs / minuteMs)} of ${source}`;
}
