/** What is known of the source: a part of the bench's. */
export interface WatchedSource {
  readonly kind: 'stills' | 'camera' | 'video' | 'machine';
  readonly camera: { readonly open: object | null };
  readonly machine: { readonly isFollowing: boolean };
  readonly video: {
    readonly playing: boolean;
    readonly positionMs: number;
    readonly video: { readonly durationMs: number } | null;
  };
}

/** The last frame of a video ends a little after it is shown. */
const LAST_FRAME_MS = 100;

/** Why a burst or rules get no frames, and how to get some, in words; '': frames come. */
export function whyNoFrames({ kind, camera, machine, video }: WatchedSource): string {
  switch (kind) {
    case 'stills':
      return 'Pictures do not run by themselves: only those that are shown from now on are looked at.';
    case 'camera':
      return camera.open ? '' : 'The webcam is stopped, so no frames come. Start it under Source.';
    case 'machine':
      return machine.isFollowing ? '' : 'The machine’s camera is stopped, so no frames come. Start it under Source.';
    case 'video':
      if (video.playing) return '';
      return video.video && video.positionMs >= video.video.durationMs - LAST_FRAME_MS
        ? 'The video has ended, so no frames come. Play it again, or switch its loop on.'
        : 'The video is paused, so no frames come. Play it.';
  }
}
