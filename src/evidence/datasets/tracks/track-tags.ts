import type { TrackMark } from './track.ts';

// The data service's boxes have no field for a track. A tag of the picture stores it: track id, whether the track ends, box id.
const prefix = 'sightglass:track:';
const shape = /^sightglass:track:(\d{1,9}):(end:)?(.+)$/su;

/** The tag that stores a key frame. Tags stay with the picture in exports and other datasets. */
export function trackTag({ id, isLast }: Pick<TrackMark, 'id' | 'isLast'>, boxId: string): string {
  return `${prefix}${id}:${isLast ? 'end:' : ''}${boxId}`;
}

/** Whether a tag stores a key frame, so it was not set by a person. */
export const isTrackTag = (tag: string): boolean => shape.test(tag);

/** The key frames that a picture's tags store, by box id. */
export function trackMarks(tags: readonly string[]): ReadonlyMap<string, TrackMark> {
  const marks = new Map<string, TrackMark>();
  for (const tag of tags) {
    const [, id, end, boxId] = shape.exec(tag) ?? [];
    if (boxId !== undefined) marks.set(boxId, { id: Number(id), isKey: true, isLast: end !== undefined });
  }
  return marks;
}
