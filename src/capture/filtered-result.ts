import type { Classification, Detection } from '../vision/detections.ts';
import type { NormalizedBox } from '../vision/normalized-box.ts';
import type { RawResults } from '../vision/sighting.ts';
import type { CaptureSetup, CaptureTimings } from './capture.ts';
import type { FrameRef } from './frame-ref.ts';

/** What was seen on one frame, and by what: a result of the bench through the filter in force. */
export interface FilteredResult {
  readonly frame: FrameRef;
  /** the pictures of its way: -1 = source, k = after step k of the setup */
  readonly stages: readonly { readonly step: number; readonly widthPx: number; readonly heightPx: number }[];
  readonly raw: RawResults;
  /** through the filter in force */
  readonly detections: readonly Detection[] | null;
  readonly classifications: readonly Classification[] | null;
  /** where a detection lies on the source image; null = wholly outside */
  readonly onSource: (detection: Detection) => NormalizedBox | null;
  readonly problems: readonly string[];
  readonly timings: CaptureTimings | null;
  /** ms since 1970 */
  readonly receivedAtMs: number;
  readonly grey: Uint8Array | null;
  readonly setup: Omit<CaptureSetup, 'configSha256' | 'stages' | 'seenWidthPx' | 'seenHeightPx'>;
}
