import { sequenceOf, type SequencePosition, withSequences } from '../../../../../evidence/datasets/face/items.ts';
import type { DataContext } from '../../../context/data-context.ts';
import { sequenceFrames, type StoredPicture } from '../../../annotate/saving/stored-pictures.ts';

type PlacedPicture = StoredPicture & { readonly sequence?: SequencePosition };

/**
 * Adds the interpolated boxes between key frames to the pictures of a dataset. The frames of a sequence are moved
 * together, in the sequence's order, to the position of the first of them. Key frames that are not in the dataset are
 * read too, because boxes are interpolated between them.
 */
export async function completeSequences(
  ports: Pick<DataContext, 'data' | 'home'>,
  pictures: readonly StoredPicture[],
  signal: AbortSignal,
): Promise<readonly PlacedPicture[]> {
  const names = new Set(pictures.flatMap(({ tags }) => sequenceOf(tags) ?? []));
  if (names.size === 0) return pictures;
  const known = new Set(pictures.map(({ contentId }) => contentId));
  const others: StoredPicture[] = [];
  for (const name of names)
    for (const frame of await sequenceFrames(ports, name, signal)) if (!known.has(frame.contentId)) others.push(frame);
  const full: readonly PlacedPicture[] = withSequences([...pictures, ...others]).slice(0, pictures.length);
  return inSequenceOrder(full);
}

function inSequenceOrder(pictures: readonly PlacedPicture[]): readonly PlacedPicture[] {
  const bySequence = new Map<string, PlacedPicture[]>();
  for (const picture of pictures) {
    const name = picture.sequence?.name;
    if (name === undefined) continue;
    const of = bySequence.get(name);
    if (of) of.push(picture);
    else bySequence.set(name, [picture]);
  }
  return pictures.flatMap((picture) => {
    if (!picture.sequence) return [picture];
    const of = bySequence.get(picture.sequence.name)!;
    return of[0] === picture ? of.toSorted((a, b) => a.sequence!.at - b.sequence!.at) : [];
  });
}
