import type { TransformStep } from '../../machine/config/face/machine-config.ts';
import type { Classification, Detection, NormalizedBox, RawResults } from '../../machine/vision/face/results.ts';
import type { CaptureRule } from './capture-policy.ts';

/**
 * One captured frame, without its bytes and its raw results, so that a list of thousands is small. Survives
 * structured cloning and JSON.
 */
export interface Capture {
  /** unique; ids sort by the time of receipt */
  readonly id: string;
  readonly reason: CaptureReason;
  readonly source: CaptureSource;
  readonly image: CapturedImage;
  /**
   * ms since 1970, with fractions: when the frame was requested (a live frame: when it was taken) and when it
   * arrived
   */
  readonly timeRequestedMs: number;
  readonly timeReceivedMs: number;
  /**
   * the configuration and model that gave the results; null: none (a frame of a burst that the model had no time
   * for)
   */
  readonly setup: CaptureSetup | null;
  readonly timings: CaptureTimings | null;
  /** after the filter in force, in pixels of the frame that the detector saw */
  readonly detections: readonly Detection[] | null;
  readonly classifications: readonly Classification[] | null;
  readonly problems: readonly string[];
  readonly tags: readonly string[];
  /** on the stored image: predictions, until a person corrects them */
  readonly boxes: readonly ImageBox[];
  readonly classes: readonly ImageClass[];
  /** null: no person has corrected it */
  readonly correctedAtMs: number | null;
}

export type CaptureReason =
  | { readonly kind: 'person' }
  | { readonly kind: 'burst' }
  | { readonly kind: 'import' }
  /** the rules that held, at least one */
  | { readonly kind: 'rules'; readonly rules: readonly CaptureRule[] };

export interface CaptureSource {
  /** a file keeps its bytes; a live frame is encoded */
  readonly kind: 'file' | 'live';
  /** file name, device label or "builtin/sample1.jpg" */
  readonly name: string;
  readonly index: number;
  /** position within the source, ms */
  readonly timestampMs: number;
}

export interface CapturedImage {
  readonly mediaType: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly sizeBytes: number;
  /** SHA-256 of the bytes, in hex */
  readonly sha256: string;
  /** 'original': the file's own bytes; otherwise encoded here (quality 0..1; null: lossless) */
  readonly encoding: 'original' | { readonly quality: number | null };
}

/** Everything that a frame's results depend on, so that they can be reproduced. */
export interface CaptureSetup {
  readonly serviceName: string | null;
  readonly cameraName: string | null;
  /** the steps of all transform cameras between the source and the service */
  readonly steps: readonly TransformStep[];
  /** the pictures after each step: -1: the source, k: after step k of `steps` */
  readonly stages?: readonly { readonly step: number; readonly widthPx: number; readonly heightPx: number }[];
  /** size of the frame that the service saw */
  readonly seenWidthPx: number;
  readonly seenHeightPx: number;
  /** the whole machine configuration as JSON text, and its hash */
  readonly configText: string;
  readonly configSha256: string;
  readonly model: { readonly sha256: string; readonly fileName: string } | null;
  /** "live": a live machine ran the model */
  readonly backend: 'wasm' | 'webgpu' | 'native' | 'live' | null;
}

export interface CaptureTimings {
  readonly decodeMs: number;
  readonly transformMs: number;
  readonly preprocessMs: number;
  readonly inferenceMs: number;
  readonly postprocessMs: number;
  readonly totalMs: number;
}

/** A box with its label. */
export interface LabelledBox extends NormalizedBox {
  /** '': not named yet; such a box is not saved */
  readonly label: string;
  /** confidence of a prediction, in [0, 1]; null: a person drew or corrected the box */
  readonly confidence: number | null;
}

/** A box that is stored with its image, in a capture or in a data service. */
export interface ImageBox extends LabelledBox {
  readonly id: string;
}

export interface ImageClass {
  readonly id: string;
  readonly label: string;
  readonly confidence: number | null;
}

/** A capture with its image and raw results. */
export interface CaptureParcel {
  readonly capture: Capture;
  readonly content: Blob;
  /** a small picture for lists; null: none could be made */
  readonly thumbnail: Blob | null;
  /** stored beside the capture and read when it is opened */
  readonly raw: RawResults | null;
}

/** An id that sorts by time. `random` is at least 8 characters of a random text. */
export function captureId(timeReceivedMs: number, random: string): string {
  return `${String(Math.round(timeReceivedMs * 1000)).padStart(17, '0')}-${random.slice(0, 8)}`;
}
