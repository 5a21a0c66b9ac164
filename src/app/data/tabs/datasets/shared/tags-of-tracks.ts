import type { DatasetBox } from '../../../../../evidence/datasets/face/items.ts';
import { trackMarks, trackTag } from '../../../../../evidence/datasets/face/tracks.ts';
import { isSameBox } from './is-same-box.ts';

type StoredBox = Parameters<typeof isSameBox>[1] & { readonly id: string };

/** The tags that store the tracks and key frames of boxes, without those that a picture already has in `tags`. */
export function tagsOfTracks(
  boxes: readonly DatasetBox[],
  stored: readonly StoredBox[],
  tags: readonly string[],
): readonly string[] {
  const marked = new Set(trackMarks(tags).keys());
  return boxes.flatMap((box) => {
    const same = box.track && stored.find((one) => !marked.has(one.id) && isSameBox(box, one));
    if (!box.track || !same) return [];
    marked.add(same.id);
    return [trackTag(box.track, same.id)];
  });
}
