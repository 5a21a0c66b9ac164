import { SharedLists } from '../evaluation/face/sets.ts';
import type { RawClassifications, RawDetections } from '../../machine/vision/face/results.ts';
import type { FootageFrame } from './footage-frame.ts';

/** The results of a run are kept in pages: page n has the frames of numbers n × framesAPage up to the next page's. */
export const framesAPage = 256;

/** @returns the page that has the frame of a number */
export const pageOf = (index: number): number => Math.floor(index / framesAPage);

/**
 * Frames for a disk: their rows as columns, each in the smallest numbers that give back the very values. Lists that are
 * equal are one object, which structured cloning writes once.
 */
export interface PackedFrames {
  readonly heads: readonly FrameHead[];
  readonly labelIndex: Uint8Array | Uint16Array | Uint32Array;
  readonly score: Float32Array | Float64Array;
  readonly box: Int16Array | Int32Array;
  readonly classScore: Float32Array | Float64Array;
}

/** A frame without its rows. */
interface FrameHead extends Omit<FootageFrame, 'detections' | 'classifications'> {
  readonly detections: Omit<RawDetections, 'labelIndex' | 'score' | 'box'> | null;
  readonly classifications: (Omit<RawClassifications, 'score'> & { readonly count: number }) | null;
}

/**
 * @param frames of one page, in order
 * @returns their columns; `unpackFrames` gives equal frames of them
 */
export function packFrames(frames: readonly FootageFrame[]): PackedFrames {
  const lists = new SharedLists();
  const heads = frames.map(({ stages, detections, classifications, ...head }): FrameHead => ({
    ...head,
    stages: lists.shared(stages),
    detections: detections && headOf(detections, lists),
    classifications: classifications && {
      labels: lists.shared(classifications.labels),
      count: classifications.score.length,
      ...(classifications.unlisted !== undefined && { unlisted: classifications.unlisted }),
    },
  }));
  const boxes = frames.flatMap(({ detections }) => detections ?? []);
  const classes = frames.flatMap(({ classifications }) => classifications ?? []);
  return {
    heads,
    labelIndex: column<Uint32Array, Uint8Array | Uint16Array>(
      boxes.map(({ labelIndex }) => labelIndex),
      Uint32Array,
      [Uint8Array, Uint16Array],
    ),
    score: column(
      boxes.map(({ score }) => score),
      Float64Array,
      [Float32Array],
    ),
    box: column(
      boxes.map(({ box }) => box),
      Int32Array,
      [Int16Array],
    ),
    classScore: column(
      classes.map(({ score }) => score),
      Float64Array,
      [Float32Array],
    ),
  };
}

/**
 * @param packed as `packFrames` gives it, also after structured cloning
 * @returns the frames; each has memory of its own, as cloning a view clones all that it is a view of
 */
export function unpackFrames(packed: PackedFrames): FootageFrame[] {
  const { labelIndex, score, box, classScore } = packed;
  let [row, classRow] = [0, 0];
  return packed.heads.map(({ detections, classifications, ...head }) => {
    const [from, classFrom] = [row, classRow];
    row += detections?.count ?? 0;
    classRow += classifications?.count ?? 0;
    const { count: _, ...classHead } = classifications ?? { count: 0, labels: [] };
    return {
      ...head,
      detections: detections && {
        ...detections,
        labelIndex: new Uint32Array(labelIndex.subarray(from, row)),
        score: new Float64Array(score.subarray(from, row)),
        box: new Int32Array(box.subarray(4 * from, 4 * row)),
      },
      classifications: classifications && {
        ...classHead,
        score: new Float64Array(classScore.subarray(classFrom, classRow)),
      },
    };
  });
}

function headOf(
  { count, labels, frameWidthPx, frameHeightPx, boxSpace, droppedNaN }: RawDetections,
  lists: SharedLists,
): FrameHead['detections'] {
  return { count, labels: lists.shared(labels), frameWidthPx, frameHeightPx, boxSpace, droppedNaN };
}

type Column = Uint8Array | Uint16Array | Uint32Array | Int16Array | Int32Array | Float32Array | Float64Array;

/** All parts as one column, in the first of the narrow forms that changes no value, else in the wide one. */
function column<Wide extends Column, Narrow extends Column>(
  parts: readonly Wide[],
  Wide: new (length: number) => Wide,
  narrow: readonly (new (values: Wide) => Narrow)[],
): Wide | Narrow {
  const wide = new Wide(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    wide.set(part, at);
    at += part.length;
  }
  for (const Form of narrow) {
    const values = new Form(wide);
    if (wide.every((value, at) => Object.is(values[at], value))) return values;
  }
  return wide;
}
