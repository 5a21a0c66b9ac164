import type { SourceKind, Sources } from './source-kinds.ts';

/** The last frame of a video ends a little after it is shown. */
const LAST_FRAME_MS = 100;

const reasons: Readonly<Record<SourceKind, (sources: Sources) => string>> = {
  stills: () => 'Pictures do not run by themselves: only those shown from now on are looked at.',
  camera: () => 'The webcam is stopped, so no frames come. Start it under Source.',
  video: ({ video }) =>
    video.video && video.positionMs >= video.video.durationMs - LAST_FRAME_MS
      ? 'The video has ended, so no frames come. Play it again, or switch its loop on.'
      : 'The video is paused, so no frames come. Play it.',
  machine: () => 'The machine’s camera is stopped, so no frames come. Start it under Source.',
};

/** Why a burst or rules get no frames, and how to get some, in words; '': frames come. */
export function whyNoFrames(sources: Sources & { readonly kind: SourceKind; readonly isStreaming: boolean }): string {
  return sources.isStreaming ? '' : reasons[sources.kind](sources);
}
