import type { NormalizedBox } from '../../../machine/vision/face/results.ts';
import { isSamePlace, trackAt, type KeyFrame, type TrackMark } from './track.ts';

interface TrackedBox extends NormalizedBox {
  readonly label: string;
  readonly track?: TrackMark;
}

/** One frame of a sequence with its boxes. If a track has several boxes on it, the first one counts. */
export interface TrackFrame<Box extends TrackedBox> {
  readonly at: number;
  readonly boxes: readonly Box[];
}

/** The key frames of every track, by track id, in order. @param frames of one sequence, in order of `at` */
export function tracksOf<Box extends TrackedBox>(
  frames: readonly TrackFrame<Box>[],
): ReadonlyMap<number, readonly KeyFrame<Box>[]> {
  const tracks = new Map<number, KeyFrame<Box>[]>();
  for (const { at, boxes } of frames) {
    for (const box of boxes) {
      if (!box.track?.isKey) continue;
      const { id, isLast } = box.track;
      const keys = tracks.get(id);
      if (!keys) tracks.set(id, [{ at, box, isLast }]);
      else if (keys.at(-1)!.at !== at) keys.push({ at, box, isLast });
    }
  }
  return tracks;
}

/** An interpolated box, with the label of the key frame before it. */
export interface ComputedBox extends NormalizedBox {
  readonly label: string;
  readonly track: TrackMark;
}

/** The interpolated boxes at a frame. `has`: ids of the tracks that have a box of their own there, which are left out. */
export function computedBoxes<Box extends TrackedBox>(
  tracks: ReadonlyMap<number, readonly KeyFrame<Box>[]>,
  at: number,
  has: ReadonlySet<number>,
): readonly ComputedBox[] {
  return [...tracks].flatMap(([id, keys]) => {
    const place = has.has(id) ? null : trackAt(keys, at);
    if (!place) return [];
    return [{ label: place.from.box.label, ...place.corners, track: { id, isKey: false, isLast: false } }];
  });
}

/** Adds the interpolated boxes between key frames. @param frames of one sequence, in order of `at` */
export function fillTracks<Box extends TrackedBox>(
  frames: readonly TrackFrame<Box>[],
): readonly (readonly (Box | ComputedBox)[])[] {
  const tracks = tracksOf(frames);
  return frames.map(({ at, boxes }) => [...boxes, ...computedBoxes(tracks, at, idsOn(boxes))]);
}

const idsOn = (boxes: readonly TrackedBox[]): ReadonlySet<number> =>
  new Set(boxes.flatMap(({ track }) => (track ? [track.id] : [])));

/**
 * Chooses key frames so that interpolating between them gives exactly these boxes. A box that interpolation would not give
 * becomes a key frame, and so does the last box before a frame without the track. Existing key frames stay.
 *
 * @param frames of one sequence, in order of `at`
 */
export function settleTracks<Box extends TrackedBox>(frames: readonly TrackFrame<Box>[]): readonly (readonly Box[])[] {
  const settled = frames.map(({ boxes }) => [...boxes]);
  for (const [id, places] of placesOf(frames)) {
    let before: KeyFrame<Box> | null = null;
    const mark = ({ frame, row, box, endsHere }: TrackedFrame<Box>, isKey: boolean): void => {
      const isLast = endsHere && frame < frames.length - 1;
      if (isKey) before = { at: frames[frame]!.at, box, isLast };
      settled[frame]![row] = { ...box, track: { id, isKey, isLast } };
    };
    for (const [index, place] of places.entries()) {
      const { frame, box, endsHere, ahead, isSure } = place;
      const keys = [before, endsHere ? null : ahead].filter((key) => key !== null);
      const given = isSure ? null : trackAt(keys, frames[frame]!.at);
      const isGiven = given !== null && given.from.box.label === box.label && isSamePlace(given.corners, box);
      // The boxes before this one are on the line to the key frame ahead. This box is not, so the motion changes here, and
      // the previous box must become a key frame: otherwise the earlier boxes would be interpolated towards this one.
      if (!isSure && !isGiven && index > 0 && !places[index - 1]!.endsHere) mark(places[index - 1]!, true);
      mark(place, !isGiven);
    }
  }
  return settled;
}

interface TrackedFrame<Box extends TrackedBox> {
  /** index of the frame; `row` is the index of the box in it */
  readonly frame: number;
  readonly row: number;
  readonly box: Box;
  /** whether the next frame lacks the track or does not exist */
  readonly endsHere: boolean;
  /** whether it must be a key frame, whatever precedes it */
  readonly isSure: boolean;
  /** the next box that must be a key frame */
  readonly ahead: KeyFrame<Box> | null;
}

/** The boxes of each track, in order of frames. */
function placesOf<Box extends TrackedBox>(
  frames: readonly TrackFrame<Box>[],
): ReadonlyMap<number, readonly TrackedFrame<Box>[]> {
  const found = new Map<number, Pick<TrackedFrame<Box>, 'frame' | 'row' | 'box'>[]>();
  for (const [frame, { boxes }] of frames.entries()) {
    for (const [row, box] of boxes.entries()) {
      if (!box.track) continue;
      const places = found.get(box.track.id) ?? [];
      found.set(box.track.id, places);
      if (places.at(-1)?.frame !== frame) places.push({ frame, row, box });
    }
  }
  return new Map(
    [...found].map(([id, places]) => {
      let ahead: KeyFrame<Box> | null = null;
      const full: TrackedFrame<Box>[] = [];
      for (const [index, place] of [...places.entries()].reverse()) {
        const { frame, box } = place;
        const endsHere = places[index + 1]?.frame !== frame + 1;
        const isSure = box.track!.isKey || (endsHere && frame < frames.length - 1);
        full.push({ ...place, endsHere, isSure, ahead });
        if (isSure) ahead = { at: frames[frame]!.at, box, isLast: false };
      }
      return [id, full.reverse()];
    }),
  );
}
