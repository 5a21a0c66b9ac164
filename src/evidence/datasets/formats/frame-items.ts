import type { DatasetItem, ListedFile } from '../item/dataset-item.ts';
import type { DatasetReport } from '../item/dataset-report.ts';
import { baseNameOf, folderOf, isImagePath } from '../item/inner-path.ts';
import type { FileIndex } from '../files/file-index.ts';
import type { Claims } from './importing.ts';
import { pictureItem, type SaidOfPicture } from './picture-item.ts';
import { frameNumber } from '../item/sequences.ts';
import { settleTracks } from '../tracks/track-frames.ts';

/** A picture of a sequence, and its frame number in the annotations. */
export interface FrameFile {
  readonly frame: number;
  readonly picture: ListedFile;
}

/**
 * The pictures below a folder as frames of a video, in order. Their numbers are those in their names; if a name has none
 * or two have the same, the pictures are sorted by path and counted.
 * @param first number of the first frame when they are counted
 */
export function frameFiles({ files }: FileIndex, folder: string, claims: Claims, first: number): FrameFile[] {
  const isBelow = (path: string): boolean => folder === '' || path.startsWith(`${folder}/`);
  const pictures = files.filter((file) => isImagePath(file.path) && isBelow(file.path) && !claims.has(file));
  const numbers = pictures.map(({ path }) => frameNumber(baseNameOf(path)));
  const areNumbered = !numbers.includes(null) && new Set(numbers).size === numbers.length;
  if (areNumbered)
    return pictures.map((picture, at) => ({ picture, frame: numbers[at]! })).toSorted((a, b) => a.frame - b.frame);
  const ordered = pictures.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return ordered.map((picture, at) => ({ picture, frame: first + at }));
}

/** A frame with its annotations in a file. */
export interface SaidOfFrame extends FrameFile {
  readonly said: Pick<SaidOfPicture, 'boxesIn' | 'shapeCount'>;
}

/**
 * Yields the pictures of one sequence, with key frames chosen so that interpolation gives the same boxes. A track on only
 * one frame becomes a plain box: in these formats every box has a track, so a plain box is exported as such a track.
 */
export async function* sequenceItems(
  frames: readonly SaidOfFrame[],
  name: string,
  file: string,
  { claims, report }: { readonly claims: Claims; readonly report: DatasetReport },
): AsyncGenerator<DatasetItem> {
  const items: DatasetItem[] = [];
  for (const { picture, frame, said } of frames) {
    claims.take(picture, file);
    const item = await pictureItem(picture, { declared: null, ...said }, { file, line: null }, report);
    items.push({ ...item, sequence: { name, at: frame } });
  }
  const counts = new Map<number, number>();
  for (const { track } of items.flatMap(({ boxes }) => boxes))
    if (track) counts.set(track.id, (counts.get(track.id) ?? 0) + 1);
  const settled = settleTracks(items.map(({ boxes, sequence }) => ({ at: sequence!.at, boxes })));
  for (const [index, item] of items.entries()) {
    const boxes = settled[index]!.map(({ track, ...box }) =>
      track && counts.get(track.id)! > 1 ? { ...box, track } : box,
    );
    yield { ...item, boxes };
  }
}

/** The name for a sequence without a name: that of its folder. */
export const sequenceNameOf = (folder: string): string => baseNameOf(folder) || 'video';

/** The parent of the folder that a file is in. */
export const parentOf = (path: string): string => folderOf(folderOf(path));
