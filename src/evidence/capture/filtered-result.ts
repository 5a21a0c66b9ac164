import type { Classification, Detection, NormalizedBox, RawResults } from '../../machine/vision/face/results.ts';
import type { CaptureSetup, CaptureTimings } from './capture.ts';
import type { FrameRef } from './frame-ref.ts';

/** The results of one frame after the filter in force, with the setup that gave them. */
export interface FilteredResult {
  readonly frame: FrameRef;
  /** the pictures after each step: -1: the source, k: after step k of the setup */
  readonly stages: readonly { readonly step: number; readonly widthPx: number; readonly heightPx: number }[];
  readonly raw: RawResults;
  /** after the filter in force */
  readonly detections: readonly Detection[] | null;
  readonly classifications: readonly Classification[] | null;
  /** maps a detection to the source image; null: it lies wholly outside */
  readonly onSource: (detection: Detection) => NormalizedBox | null;
  readonly problems: readonly string[];
  readonly timings: CaptureTimings | null;
  /** ms since 1970 */
  readonly receivedAtMs: number;
  readonly grey: Uint8Array | null;
  readonly setup: Omit<CaptureSetup, 'configSha256' | 'stages' | 'seenWidthPx' | 'seenHeightPx'>;
}
