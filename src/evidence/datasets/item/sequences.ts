import { splitExtension } from './inner-path.ts';
import { fillTracks } from '../tracks/track-frames.ts';
import type { DatasetBox, SequencePosition } from './dataset-item.ts';

/** Frames of one video or burst share a tag of this prefix and the sequence's name. */
const sequencePrefix = 'sequence:';

export const sequenceTag = (name: string): string => `${sequencePrefix}${name}`;

/** The sequence that a picture's tags name; if there are several, the first in sorted order. null = none */
export function sequenceOf(tags: readonly string[]): string | null {
  const [first] = tags.filter((tag) => tag.startsWith(sequencePrefix) && tag.length > sequencePrefix.length).toSorted();
  return first?.slice(sequencePrefix.length) ?? null;
}

/** The fields of a picture that determine its position in a sequence. */
export interface SequencePicture {
  readonly contentId: string;
  readonly fileName: string;
  /** RFC 3339; null if unknown */
  readonly capturedAt: string | null;
}

/** A picture with its position: `at` is the frame number in its name, or its time in milliseconds. */
export interface PlacedPicture<Picture> {
  readonly at: number;
  readonly picture: Picture;
}

/**
 * Sorts the pictures of one sequence by the last number in their names, which is the frame number in extracted video
 * frames. If a name has no number, or two have the same, all are sorted by time of capture instead.
 */
export function placeFrames<Picture extends SequencePicture>(
  pictures: readonly Picture[],
): readonly PlacedPicture<Picture>[] {
  const numbers = pictures.map(({ fileName }) => frameNumber(fileName));
  const areNumbered = !numbers.includes(null) && new Set(numbers).size === numbers.length;
  const placed = pictures.map((picture, index) => ({ picture, at: numbers[index] ?? 0 }));
  if (areNumbered) return placed.toSorted((a, b) => a.at - b.at);
  const timed = pictures.map((picture) => ({ picture, at: Date.parse(picture.capturedAt ?? '') || 0 }));
  const ordered = timed.toSorted((a, b) => a.at - b.at || (a.picture.contentId < b.picture.contentId ? -1 : 1));
  const areTimed = ordered.every(({ at }, index) => index === 0 || at > ordered[index - 1]!.at);
  return areTimed ? ordered : ordered.map(({ picture }, at) => ({ picture, at }));
}

/** The last number in a name, ignoring the extension; null if there is none. */
export function frameNumber(fileName: string): number | null {
  const digits = /(\d+)\D*$/.exec(splitExtension(fileName)[0])?.[1];
  return digits === undefined ? null : Number(digits);
}

type TaggedPicture = SequencePicture & { readonly tags: readonly string[]; readonly boxes: readonly DatasetBox[] };

/** The pictures in the same order. Those of sequences get their position, and interpolated boxes between key frames. */
export function withSequences<Picture extends TaggedPicture>(
  pictures: readonly Picture[],
): readonly (Picture & { readonly sequence?: SequencePosition })[] {
  const byName = new Map<string, Picture[]>();
  for (const picture of pictures) {
    const name = sequenceOf(picture.tags);
    if (name === null) continue;
    const of = byName.get(name);
    if (of) of.push(picture);
    else byName.set(name, [picture]);
  }
  if (byName.size === 0) return pictures;
  const full = new Map<Picture, Picture & { readonly sequence: SequencePosition }>();
  for (const [name, of] of byName) {
    const placed = placeFrames(of);
    const filled = fillTracks(placed.map(({ at, picture: { boxes } }) => ({ at, boxes })));
    for (const [index, { at, picture }] of placed.entries())
      full.set(picture, { ...picture, boxes: filled[index]!, sequence: { name, at } });
  }
  return pictures.map((picture) => full.get(picture) ?? picture);
}
