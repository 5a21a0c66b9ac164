import type { StageZoom } from '../../kit/picture/stage-viewport.svelte.ts';
import { isLiveKind, type LiveKind } from '../sources/source-kinds.ts';
import type { VideoPlayback } from '../sources/video-state.svelte.ts';

/** What the bench showed: small enough to be written synchronously when the page is closed. */
export interface VisitRecord {
  /** the visit that the pictures and the video belong to; null: there were only samples */
  readonly visitId: string | null;
  /** id of the person's own picture that was shown last; '': none */
  readonly shown: string;
  /** name of the sample in the strip; '': the strip shows the person's own pictures */
  readonly sample: string;
  /** null: fitted */
  readonly zoom: StageZoom | null;
  /** playback of the video on the stage, which covers the picture; null: none */
  readonly video: VideoPlayback | null;
  /** id of the video on the stage; '': none */
  readonly film: string;
  /** the live source on the stage; '': none */
  readonly live: LiveKind | '';
  /** the first names of the pictures and videos, to say what was not found again */
  readonly names: readonly string[];
  /** number of pictures and videos */
  readonly count: number;
}

const NOWHERE: VisitRecord = {
  visitId: null,
  shown: '',
  sample: '',
  zoom: null,
  video: null,
  film: '',
  live: '',
  names: [],
  count: 0,
};

/** Reads what an earlier visit wrote; invalid parts are as on a first visit. */
export function readVisitRecord(value: unknown): VisitRecord {
  if (typeof value !== 'object' || value === null) return NOWHERE;
  const { visitId, shown, sample, zoom, video, film, live, names, count } = value as Partial<
    Record<keyof VisitRecord, unknown>
  >;
  return {
    visitId: typeof visitId === 'string' ? visitId : null,
    shown: typeof shown === 'string' ? shown : '',
    sample: typeof sample === 'string' ? sample : '',
    zoom: hasNumbers<StageZoom>(zoom, 'scale', 'centreX', 'centreY') && zoom.scale > 0 ? zoom : null,
    video: hasNumbers<VideoPlayback>(video, 'positionMs')
      ? { positionMs: video.positionMs, playing: video.playing === true, loop: video.loop === true }
      : null,
    film: typeof film === 'string' ? film : '',
    live: isLiveKind(live) ? live : '',
    names: Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [],
    count: typeof count === 'number' ? count : 0,
  };
}

function hasNumbers<Record>(value: unknown, ...keys: (keyof Record)[]): value is Record {
  if (typeof value !== 'object' || value === null) return false;
  return keys.every((key) => Number.isFinite((value as Record)[key]));
}
