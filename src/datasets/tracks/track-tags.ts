import type { TrackMark } from './track.ts';

// The data service's boxes have no place for a track. A tag of their picture says it: of which track, whether it ends there, which box.
const prefix = 'sightglass:track:';
const shape = /^sightglass:track:(\d{1,9}):(end:)?(.+)$/su;

/** A key frame as the tag that comes out again wherever the picture goes. */
export function trackTag({ id, isLast }: Pick<TrackMark, 'id' | 'isLast'>, boxId: string): string {
  return `${prefix}${id}:${isLast ? 'end:' : ''}${boxId}`;
}

/** Whether a tag is such a one: nobody's own. */
export const isTrackTag = (tag: string): boolean => shape.test(tag);

/** The marks that a picture's tags hold, by box id. */
export function trackMarks(tags: readonly string[]): ReadonlyMap<string, TrackMark> {
  const marks = new Map<string, TrackMark>();
  for (const tag of tags) {
    const [, id, end, boxId] = shape.exec(tag) ?? [];
    if (boxId !== undefined) marks.set(boxId, { id: Number(id), isKey: true, isLast: end !== undefined });
  }
  return marks;
}
