import type { DatasetItem, SequencePosition } from '../../item/dataset-item.ts';
import { isRecord, recordsIn, type JsonRecord } from '../importing.ts';
import { frameNumber } from '../../item/sequences.ts';
import type { TrackMark } from '../../tracks/track.ts';
import { settleTracks } from '../../tracks/track-frames.ts';

/** The track of an annotation: its `track_id` (TAO, COCO-VID), or its attribute `track_id` (CVAT). */
export function trackOf({ track_id: id, keyframe, attributes }: JsonRecord): TrackMark | null {
  const more = isRecord(attributes) ? attributes : {};
  const number = Number(id ?? more['track_id'] ?? NaN);
  if (!Number.isInteger(number) || number < 0 || number >= 1e9) return null;
  return { id: number, isKey: (keyframe ?? more['keyframe']) === true, isLast: false };
}

/**
 * The position of each image in its video, by `video_id` and `frame_id`. If these are missing, all images of the file
 * are one video, in order of the numbers in their names; without a track, an image without a video is in none. Null if
 * there is neither a track nor a video.
 *
 * @param name for a video without a name
 */
export function sequencePlaces(
  dataset: JsonRecord,
  name: string,
): ((image: JsonRecord) => SequencePosition | null) | null {
  const hasTracks = recordsIn(dataset['annotations']).some((one) => isRecord(one) && trackOf(one) !== null);
  const images = recordsIn(dataset['images']);
  const hasVideos = images.some((one) => isRecord(one) && one['video_id'] !== undefined);
  if (!hasTracks && !hasVideos) return null;
  const names = new Map<unknown, string>();
  for (const video of recordsIn(dataset['videos']))
    if (isRecord(video) && typeof video['name'] === 'string') names.set(video['id'], video['name']);
  return (image) => {
    const { video_id: video, frame_id: frame, file_name: fileName } = image;
    if (!hasTracks && video === undefined) return null;
    const known = names.get(video) ?? (video === undefined ? name : `${name} ${String(video)}`);
    const counted = typeof frame === 'number' && Number.isFinite(frame) ? frame : null;
    return { name: known, at: counted ?? frameNumber(String(fileName)) ?? images.indexOf(image) };
  };
}

/** Waits for all items, and marks key frames so that interpolating between them gives the same boxes. */
export async function* settledItems(items: AsyncIterable<DatasetItem>): AsyncGenerator<DatasetItem> {
  const all: DatasetItem[] = [];
  const bySequence = new Map<string, number[]>();
  for await (const item of items) {
    const key = JSON.stringify([item.split, item.sequence?.name]);
    const indices = bySequence.get(key);
    if (indices) indices.push(all.length);
    else bySequence.set(key, [all.length]);
    all.push(item);
  }
  const settled = new Map<number, DatasetItem>();
  for (const indices of bySequence.values()) {
    const ordered = indices.toSorted((a, b) => placeOf(all[a]!) - placeOf(all[b]!));
    const boxes = settleTracks(ordered.map((index) => ({ at: placeOf(all[index]!), boxes: all[index]!.boxes })));
    for (const [at, index] of ordered.entries()) settled.set(index, { ...all[index]!, boxes: boxes[at]! });
  }
  for (const index of all.keys()) yield settled.get(index)!;
}

const placeOf = ({ sequence }: DatasetItem): number => sequence?.at ?? 0;
