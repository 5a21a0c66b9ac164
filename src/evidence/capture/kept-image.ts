import type { CapturedImage } from './capture.ts';
import type { FrameRef } from './frame-ref.ts';

/** A source frame, encoded to be kept. */
export interface KeptImage {
  readonly info: FrameRef;
  readonly content: Blob;
  readonly thumbnail: Blob | null;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly sha256: string;
  readonly encoding: CapturedImage['encoding'];
}
