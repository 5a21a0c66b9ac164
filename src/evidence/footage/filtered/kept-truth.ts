import type { FilterKind, FilterRule } from '../../../machine/vision/face/filtered-cameras.ts';
import type { KeptPlace } from './filtered-play.ts';

/** A frame whose boxes a person corrected. */
export interface CorrectedFrame {
  /** file name of the video or picture */
  readonly name: string;
  /** from the beginning of the video, in ms; of a picture anything */
  readonly timeMs: number;
  /** the labels of its boxes, and its classes */
  readonly boxes: readonly string[];
  readonly classes: readonly string[];
}

/** What a filtered camera keeps of frames of which a person said what is on them. */
export interface KeptTruth {
  /** corrected frames */
  readonly frames: number;
  /** for each line that waits for something: frames that have it, and those of them that are kept */
  readonly lines: readonly TruthLine[];
  /** corrected frames that are kept, and those of them that have nothing that the camera waits for */
  readonly kept: number;
  readonly keptWithNothing: number;
}

export interface TruthLine {
  /** a label, or `*` */
  readonly key: string;
  readonly frames: number;
  readonly kept: number;
}

/**
 * Counts what a filtered camera keeps against what is there.
 * @param rule of the camera: its accepting lines say what it waits for
 * @param truth frames that a person corrected, each once
 * @param isKept whether an image of a frame is kept: see `keptNear` and `keptByName`
 * @returns the counts; a rule without accepting lines waits for nothing by name, and every frame has that
 * @example
 * const pets = { vision: 'pets', inhibit: false, classifications: {}, objects: { cat: 0.5 } };
 * const rule = { camera: 'cam', inhibitors: [], acceptors: [pets], beforeMs: 0, afterMs: 0, cooldownMs: 0, imageFrequencyHz: 1, ringSize: 0 };
 * const truth = [{ name: 'a.jpg', timeMs: 0, boxes: ['cat'], classes: [] }, { name: 'b.jpg', timeMs: 0, boxes: [], classes: [] }];
 * keptTruth(rule, truth, ({ name }) => name === 'b.jpg'); // => { frames: 2, lines: [{ key: 'cat', frames: 1, kept: 0 }], kept: 1, keptWithNothing: 1 }
 */
export function keptTruth(
  { acceptors }: Pick<FilterRule, 'acceptors'>,
  truth: readonly CorrectedFrame[],
  isKept: (frame: CorrectedFrame) => boolean,
): KeptTruth {
  const waited = new Map<string, readonly FilterKind[]>();
  for (const kind of ['objects', 'classifications'] as const)
    for (const key of new Set(acceptors.flatMap((service) => Object.keys(service[kind]))))
      waited.set(key, [...(waited.get(key) ?? []), kind]);
  const lines = new Map(Array.from(waited.keys(), (key) => [key, { key, frames: 0, kept: 0 }]));
  let [kept, keptWithNothing] = [0, 0];
  for (const frame of truth) {
    const isHere = isKept(frame);
    const has = [...waited].filter(([key, kinds]) => kinds.some((kind) => hasLabel(frame, kind, key)));
    for (const [key] of has) {
      const line = lines.get(key)!;
      line.frames++;
      if (isHere) line.kept++;
    }
    if (!isHere) continue;
    kept++;
    if (has.length === 0 && waited.size > 0) keptWithNothing++;
  }
  return { frames: truth.length, lines: [...lines.values()], kept, keptWithNothing };
}

function hasLabel({ boxes, classes }: CorrectedFrame, kind: FilterKind, key: string): boolean {
  const labels = kind === 'objects' ? boxes : classes;
  return key === '*' ? labels.length > 0 : labels.includes(key);
}

interface Kept {
  readonly image: KeptPlace;
}

/** Whether a frame of a video is kept: an image of at most so many ms before or after it is. No frame of a video is asked for by its number. */
export function keptNear(kept: readonly Kept[], withinMs: number): (frame: CorrectedFrame) => boolean {
  const times = Float64Array.from(kept, ({ image }) => image.timeMs).sort();
  return ({ timeMs }) => {
    let [from, to] = [0, times.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (times[middle]! < timeMs - withinMs) from = middle + 1;
      else to = middle;
    }
    return times[from]! <= timeMs + withinMs;
  };
}

/** Whether a picture of a folder is kept: the picture itself is. */
export function keptByName(kept: readonly Kept[]): (frame: CorrectedFrame) => boolean {
  const names = new Set(kept.map(({ image }) => image.name));
  return ({ name }) => names.has(name);
}
