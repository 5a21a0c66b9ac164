import { boxesOnImage, classesOfImage } from './boxes-on-image.ts';
import { captureId, type Capture, type CaptureParcel, type CaptureReason, type CaptureSetup } from './capture.ts';
import type { FilteredResult } from './filtered-result.ts';
import type { FrameRef } from './frame-ref.ts';
import type { KeptImage } from './kept-image.ts';

/** The parts of a capture beside the frame and its result. */
export interface CaptureContext {
  readonly reason: CaptureReason;
  readonly tags: readonly string[];
  readonly randomId: () => string;
  /** SHA-256 of the configuration's text, in hex */
  readonly configSha256: string;
  /** for a frame without times of its own */
  readonly nowMs: number;
}

/** Builds the capture of a frame. `result` null: the model had no time for the frame. */
export function captureOf(kept: KeptImage, result: FilteredResult | null, context: CaptureContext): CaptureParcel {
  const { info, content, thumbnail, widthPx, heightPx, sha256, encoding } = kept;
  const timeRequestedMs = result?.frame.takenAtMs ?? info.takenAtMs ?? context.nowMs;
  const timeReceivedMs = Math.max(timeRequestedMs, result?.receivedAtMs ?? timeRequestedMs);
  const idOf = (): string => context.randomId();
  const capture: Capture = {
    id: captureId(timeReceivedMs, context.randomId()),
    reason: context.reason,
    source: sourceOf(info, encoding === 'original' ? 'file' : 'live'),
    image: { mediaType: content.type, widthPx, heightPx, sizeBytes: content.size, sha256, encoding },
    timeRequestedMs,
    timeReceivedMs,
    setup: result && setupOf(result, context.configSha256),
    timings: result?.timings ?? null,
    detections: result?.detections ?? null,
    classifications: result?.classifications ?? null,
    problems: result?.problems ?? [],
    tags: context.tags,
    boxes: result?.detections ? boxesOnImage(result.detections, result.onSource, idOf) : [],
    classes: classesOfImage(result?.classifications ?? [], idOf),
    correctedAtMs: null,
  };
  return { capture, content, thumbnail, raw: result?.raw ?? null };
}

function sourceOf({ name, index, timestampMs }: FrameRef, kind: 'file' | 'live'): Capture['source'] {
  return { kind, name, index, timestampMs };
}

function setupOf({ setup, stages }: FilteredResult, configSha256: string): CaptureSetup {
  const seen = stages.at(-1);
  return { ...setup, configSha256, stages, seenWidthPx: seen?.widthPx ?? 0, seenHeightPx: seen?.heightPx ?? 0 };
}
