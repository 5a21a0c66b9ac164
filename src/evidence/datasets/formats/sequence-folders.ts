import { orderClasses } from '../item/dataset-classes.ts';
import type { DatasetBox, DatasetEntry, DatasetItem, SizePx, Split } from '../item/dataset-item.ts';
import { extensionOfImage, sizeOf } from './export-image.ts';
import type { ExportOptions } from '../item/export-options.ts';
import { safeStem } from '../files/unique-names.ts';
import type { TrackMark } from '../tracks/track.ts';

/** The data of a written frame that the annotations need. */
export interface FrameRecord {
  readonly fileName: string;
  readonly sizePx: SizePx;
  readonly capturedAt: string | null;
  readonly boxes: readonly DatasetBox[];
}

/** The frames of one sequence (or of the part of it in one split), in order. */
export interface SequenceFolder {
  readonly name: string;
  /** ends with a slash */
  readonly path: string;
  readonly frames: FrameRecord[];
}

/** The sequences of an export, after all pictures are written. */
export interface WrittenSequences {
  readonly folders: readonly SequenceFolder[];
  /** all labels of boxes, without duplicates, in the order that the options require */
  readonly labels: readonly string[];
}

/**
 * Writes the pictures to a folder for each sequence, and returns the data for their annotations. A picture of unknown
 * size is left out and reported.
 *
 * @param pictures the folder of pictures in that of the sequence, and a function for the stem of a frame, counted from 0
 */
export async function* writeSequences(
  items: AsyncIterable<DatasetItem>,
  { datasetName, classes, report }: ExportOptions,
  pictures: { readonly folder: string; readonly stemOf: (frame: number) => string },
): AsyncGenerator<DatasetEntry, WrittenSequences> {
  const sequences = new SequenceFolders(datasetName);
  for await (const item of items) {
    const sizePx = await sizeOf(item, report);
    if (sizePx === null) continue;
    const { path, frames } = sequences.of(item);
    const fileName = `${pictures.stemOf(frames.length)}${await extensionOfImage(item)}`;
    frames.push({ fileName, sizePx, capturedAt: item.capturedAt, boxes: item.boxes });
    yield { path: `${path}${pictures.folder}${fileName}`, content: item.content };
  }
  const folders = sequences.all;
  const used = folders.flatMap(({ frames }) => frames.flatMap(({ boxes }) => boxes.map(({ label }) => label)));
  return { folders, labels: orderClasses(used, classes).map(({ label }) => label) };
}

/** Assigns a folder to every sequence, below that of its split. Pictures without a sequence form one with the dataset's name. */
class SequenceFolders {
  readonly #datasetName: string;
  readonly #folders = new Map<string, SequenceFolder>();
  readonly #paths = new Set<string>();

  constructor(datasetName: string) {
    this.#datasetName = datasetName;
  }

  of({ sequence, split }: Pick<DatasetItem, 'sequence' | 'split'>): SequenceFolder {
    const key = JSON.stringify([split, sequence?.name ?? null]);
    const known = this.#folders.get(key);
    if (known) return known;
    const name = sequence?.name ?? this.#datasetName;
    const folder = { name, path: this.#pathOf(name, split), frames: [] };
    this.#folders.set(key, folder);
    return folder;
  }

  get all(): readonly SequenceFolder[] {
    return [...this.#folders.values()];
  }

  #pathOf(name: string, split: Split | null): string {
    for (let attempt = 1; ; attempt++) {
      const folder = `${safeStem(name)}${attempt === 1 ? '' : `-${attempt}`}/`;
      const path = split === null ? folder : `${split}/${folder}`;
      if (this.#paths.has(path.toLowerCase())) continue;
      this.#paths.add(path.toLowerCase());
      return path;
    }
  }
}

type TrackedBox = DatasetBox & { readonly track: TrackMark };

/**
 * The boxes of each frame, all with a track, because these formats require one: a box without a track gets a new one.
 * Tracks also have a single label in these formats: if the label of a track changes, a new track continues it.
 */
export function trackedBoxes(
  frames: readonly Pick<FrameRecord, 'boxes'>[],
  firstId: number,
): readonly (readonly TrackedBox[])[] {
  const used = frames.flatMap(({ boxes }) => boxes.map(({ track }) => track?.id ?? -1));
  let next = used.reduce((most, id) => Math.max(most, id), firstId - 1) + 1;
  const labels = new Map<number, string>();
  const others = new Map<string, number>();
  const idOf = ({ track, label }: DatasetBox, taken: ReadonlySet<number>): number => {
    if (!track || taken.has(track.id)) return next++;
    if ((labels.get(track.id) ?? label) === label) return track.id;
    const key = `${track.id}\n${label}`;
    const other = others.get(key) ?? next++;
    others.set(key, other);
    return other;
  };
  return frames.map(({ boxes }) => {
    const taken = new Set<number>();
    return boxes.map((box) => {
      const id = idOf(box, taken);
      taken.add(id);
      labels.set(id, box.label);
      return { ...box, track: { isKey: true, isLast: false, ...box.track, id } };
    });
  });
}
