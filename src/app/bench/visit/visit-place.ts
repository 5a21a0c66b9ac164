import type { StageZoom } from '../../kit/picture/stage-viewport.svelte.ts';
import type { LiveKind } from '../sources/sources-state.svelte.ts';
import type { VideoPlace } from '../sources/video-state.svelte.ts';

/** Where one was on the bench: small enough to be written at once, when the page goes. */
export interface VisitPlace {
  /** of the visit whose pictures and video these are; null = there were the samples only */
  readonly visitId: string | null;
  /** id of the picture of one's own that was chosen last; '' = there is none */
  readonly shown: string;
  /** name of the sample in the strip; '' = the strip shows one's own pictures */
  readonly sample: string;
  /** null = fitted */
  readonly zoom: StageZoom | null;
  /** of the video on the stage, over the picture; null = there was none */
  readonly video: VideoPlace | null;
  /** id of the video on the stage; '' = there was none */
  readonly film: string;
  /** the live source that was on the stage; '' = there was none */
  readonly live: LiveKind | '';
  /** of the pictures and the videos, the first of them: to name what is not found again */
  readonly names: readonly string[];
  /** how many there were in all */
  readonly count: number;
}

const NOWHERE: VisitPlace = {
  ...{ visitId: null, shown: '', sample: '', zoom: null, video: null },
  ...{ film: '', live: '', names: [], count: 0 },
};

/** Reads what an earlier visit wrote, or what became of it; what does not fit is as on a first visit. */
export function readVisitPlace(value: unknown): VisitPlace {
  if (typeof value !== 'object' || value === null) return NOWHERE;
  const { visitId, shown, sample, zoom, video, film, live, names, count } = value as Partial<
    Record<keyof VisitPlace, unknown>
  >;
  return {
    visitId: typeof visitId === 'string' ? visitId : null,
    shown: typeof shown === 'string' ? shown : '',
    sample: typeof sample === 'string' ? sample : '',
    zoom: hasNumbers<StageZoom>(zoom, 'scale', 'centreX', 'centreY') && zoom.scale > 0 ? zoom : null,
    video: hasNumbers<VideoPlace>(video, 'positionMs')
      ? { positionMs: video.positionMs, playing: video.playing === true, loop: video.loop === true }
      : null,
    film: typeof film === 'string' ? film : '',
    live: live === 'camera' || live === 'machine' ? live : '',
    names: Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [],
    count: typeof count === 'number' ? count : 0,
  };
}

function hasNumbers<Record>(value: unknown, ...keys: (keyof Record)[]): value is Record {
  if (typeof value !== 'object' || value === null) return false;
  return keys.every((key) => Number.isFinite((value as Record)[key]));
}
