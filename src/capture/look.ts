import type { Classification, Detection } from '../vision/detections.ts';
import type { NormalizedBox } from '../vision/normalized-box.ts';
import type { CapturedImage, CaptureSetup, CaptureTimings, RawResults } from './capture.ts';

/** Names one frame of a source. */
export interface FrameRef {
  readonly name: string;
  readonly index: number;
  readonly timestampMs: number;
  readonly takenAtMs?: number;
}

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

/** What was seen on one frame, and by what: a result of the bench through the filter in force. */
export interface Look {
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

export function isSameFrame(a: FrameRef, b: FrameRef): boolean {
  return a.index === b.index && a.name === b.name && a.timestampMs === b.timestampMs;
}
