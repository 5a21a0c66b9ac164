import type { StageZoom } from '../stage/stage-viewport.svelte.ts';
import type { VideoPlace } from '../sources/video-state.svelte.ts';

/** Where one was on the bench: small enough to be written at once, when the page goes. */
export interface VisitPlace {
  /** of the visit whose pictures and video these are; null = there were the samples only */
  readonly visitId: string | null;
  /** id of the picture that is chosen in the strip; '' = a sample */
  readonly shown: string;
  /** name of the sample that is chosen; '' = none of them */
  readonly sample: string;
  /** null = fitted */
  readonly zoom: StageZoom | null;
  /** over the picture on the stage; null = there was none */
  readonly video: VideoPlace | null;
  /** of the pictures and the video, the first of them: to name what is not found again */
  readonly names: readonly string[];
  /** how many there were in all */
  readonly count: number;
}

const NOWHERE: VisitPlace = { visitId: null, shown: '', sample: '', zoom: null, video: null, names: [], count: 0 };

/** Reads what an earlier visit wrote, or what became of it; what does not fit is as on a first visit. */
export function readVisitPlace(value: unknown): VisitPlace {
  if (typeof value !== 'object' || value === null) return NOWHERE;
  const { visitId, shown, sample, zoom, video, names, count } = value as Partial<Record<keyof VisitPlace, unknown>>;
  return {
    visitId: typeof visitId === 'string' ? visitId : null,
    shown: typeof shown === 'string' ? shown : '',
    sample: typeof sample === 'string' ? sample : '',
    zoom: hasNumbers<StageZoom>(zoom, 'scale', 'centreX', 'centreY') && zoom.scale > 0 ? zoom : null,
    video: hasNumbers<VideoPlace>(video, 'positionMs')
      ? { positionMs: video.positionMs, playing: video.playing === true, loop: video.loop === true }
      : null,
    names: Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [],
    count: typeof count === 'number' ? count : 0,
  };
}

function hasNumbers<Record>(value: unknown, ...keys: (keyof Record)[]): value is Record {
  if (typeof value !== 'object' || value === null) return false;
  return keys.every((key) => Number.isFinite((value as Record)[key]));
}
