import { boxesOnImage, classesOfImage } from './boxes-on-image.ts';
import { captureId, type Capture, type CaptureParcel, type CaptureReason, type CaptureSetup } from './capture.ts';
import type { FrameRef, KeptImage, Look } from './look.ts';

export interface CaptureOrigin {
  readonly reason: CaptureReason;
  readonly randomId: () => string;
  /** of the text of the configuration, in hex */
  readonly configSha256: string;
  /** for a frame that brings no times */
  readonly nowMs: number;
}

/** Puts together what is kept of a frame. `look` null: nothing looked at it. */
export function captureOf(kept: KeptImage, look: Look | null, origin: CaptureOrigin): CaptureParcel {
  const { info, content, thumbnail, widthPx, heightPx, sha256, encoding } = kept;
  const timeRequestedMs = look?.frame.takenAtMs ?? info.takenAtMs ?? origin.nowMs;
  const timeReceivedMs = Math.max(timeRequestedMs, look?.receivedAtMs ?? timeRequestedMs);
  const idOf = (): string => origin.randomId();
  const capture: Capture = {
    id: captureId(timeReceivedMs, origin.randomId()),
    reason: origin.reason,
    source: sourceOf(info, encoding === 'original' ? 'file' : 'live'),
    image: { mediaType: content.type, widthPx, heightPx, sizeBytes: content.size, sha256, encoding },
    ...{ timeRequestedMs, timeReceivedMs },
    setup: look && setupOf(look, origin.configSha256),
    timings: look?.timings ?? null,
    detections: look?.detections ?? null,
    classifications: look?.classifications ?? null,
    problems: look?.problems ?? [],
    tags: [],
    boxes: look?.detections ? boxesOnImage(look.detections, look.onSource, idOf) : [],
    classes: classesOfImage(look?.classifications ?? [], idOf),
    correctedAtMs: null,
  };
  return { capture, content, thumbnail, raw: look?.raw ?? null };
}

function sourceOf({ name, index, timestampMs }: FrameRef, kind: 'file' | 'live'): Capture['source'] {
  return { kind, name, index, timestampMs };
}

function setupOf({ setup, stages }: Look, configSha256: string): CaptureSetup {
  const seen = stages.at(-1);
  return { ...setup, configSha256, stages, seenWidthPx: seen?.widthPx ?? 0, seenHeightPx: seen?.heightPx ?? 0 };
}
