import type { ColorRule } from './color-rule.ts';
import type { Frame } from '../frame/frame.ts';
import { findBlobs } from './find-blobs.ts';
import { machinePixels } from './machine-pixels.ts';
import { markPixels, wordsOfRow, type MarkPixels } from './mark-pixels.ts';
import { pixelTest } from './pixel-test.ts';

type Box = readonly [xMin: number, yMin: number, xMax: number, yMax: number];

/** A box of a colour detector that a person wants, or does not want. */
export interface BlobMark {
  /** in pixels, the last column and row included */
  readonly box: Box;
  readonly isWanted: boolean;
  /** under which it was found */
  readonly rule: ColorRule;
}

/** The thresholds that part wanted boxes from others. */
export type Separation = Pick<ColorRule, 'tolerance' | 'saturationCutoff' | 'valueCutoff'>;

/** Why nothing does: a wanted box is lost under every rule, or an unwanted one is found wherever all wanted ones are. */
export interface Inseparable {
  readonly reason: 'lost' | 'passes';
  readonly box: Box;
}

/** The rule to find for a picture, and the boxes that it shall find or not. */
export interface BlobWish {
  readonly rule: ColorRule;
  readonly marks: readonly BlobMark[];
  /** the highest cut-offs that the machine takes with the rule's colour, 0..1 */
  readonly most: { readonly saturation: number; readonly value: number };
}

/** A wanted box is kept where one is found that covers it by so much: their common area over that of both. */
const leastOverlap = 0.5;
/** Steps in which one cut-off alone is raised, and both together. */
const [fineStep, coarseStep] = [0.02, 0.1];

/**
 * Finds the widest hue tolerance, in hundredths, under which a colour detector still finds every wanted box, by itself, and
 * none that shares a pixel with an unwanted one. Only where no tolerance does so, the saturation cut-off is raised, then
 * that of the value, then both: by as little as will do, and from there to the middle of what gives the same tolerance.
 * @param pixels of `machinePixels`
 * @param widthPx width of the picture
 * @param wish the rule in force, and at least one box that is wanted
 * @param mark the kernel's, where there is one
 * @returns the values, or why there are none
 * @example
 * const pixels = Uint32Array.of(255, 255, 0, 0x80ff, 0x80ff, 255, 255, 0, 0x80ff, 0x80ff);
 * const rule = { hueDeg: 0, tolerance: 0.5, saturationCutoff: 0.2, valueCutoff: 0.3, minAreaPx: 1, label: 'red' };
 * const marks = [{ box: [0, 0, 1, 1], isWanted: true, rule }, { box: [3, 0, 4, 1], isWanted: false, rule }];
 * separateBlobs(pixels, 5, { rule, marks, most: { saturation: 1, value: 1 } }).tolerance; // => 0.16
 */
export function separateBlobs(
  pixels: Uint32Array,
  widthPx: number,
  { rule, marks, most }: BlobWish,
  mark: MarkPixels = markPixels,
): Separation | Inseparable {
  const wanted = marks.filter(({ isWanted }) => isWanted).map(({ box }) => box);
  const unwanted = marks.filter(({ isWanted }) => !isWanted);
  const forbidden = pixelsOf(unwanted, pixels, widthPx, mark);

  let fault: Inseparable | null = null;
  const judged = (separation: Separation) => {
    const marked = mark(pixels, widthPx, pixelTest({ ...rule, ...separation }));
    const { count, box, firstRow } = findBlobs(marked, widthPx, rule.minAreaPx);
    const found = Array.from({ length: count }, (_, row) => [...box.subarray(4 * row, 4 * row + 4)] as unknown as Box);
    const owners = found
      .filter((one) => unwanted.some((other) => overlap(one, other.box) > 0))
      .flatMap((one) => flooded(marked, widthPx, one[0], firstRow[found.indexOf(one)]!))
      .map((at) => forbidden[at]!);
    const passing = owners.reduce((last, owner) => Math.max(last, owner), 0) - 1;
    return { found, passing, lost: wanted.find((box) => !found.some((one) => overlap(one, box) >= leastOverlap)) };
  };

  /** The widest tolerance under these cut-offs; null: none. Narrower finds less, so that what passes ends at one place. */
  const widest = (cutoffs: Omit<Separation, 'tolerance'>): Separation | null => {
    let [passed, failed] = [0, 101];
    while (failed - passed > 1) {
      const middle = (passed + failed) >> 1;
      if (judged({ ...cutoffs, tolerance: middle / 100 }).passing < 0) passed = middle;
      else failed = middle;
    }
    for (let hundredths = passed; hundredths > 0; hundredths--) {
      const separation = { ...cutoffs, tolerance: hundredths / 100 };
      const { lost, found } = judged(separation);
      if (!lost) return separation;
      // Boxes that grew into one may part again; one that is too small never grows.
      const isGone = !found.some((one) => overlap(one, lost) > 0 && areaOf(one) >= leastOverlap * areaOf(lost));
      if (isGone) break;
    }
    fault ??= whyNot(cutoffs);
    return null;
  };

  /** Said of the rule's own cut-offs: what is in the way of the narrowest tolerance that keeps every wanted box. */
  const whyNot = (cutoffs: Omit<Separation, 'tolerance'>): Inseparable => {
    for (let hundredths = 1; hundredths <= 100; hundredths++) {
      const { lost, passing } = judged({ ...cutoffs, tolerance: hundredths / 100 });
      if (!lost && passing >= 0) return { reason: 'passes', box: unwanted[passing]!.box };
    }
    return { reason: 'lost', box: judged({ ...cutoffs, tolerance: rule.tolerance }).lost ?? wanted[0]! };
  };

  const own = { saturationCutoff: rule.saturationCutoff, valueCutoff: rule.valueCutoff };
  const saturations = (step: number) =>
    raised(own.saturationCutoff, most.saturation, step).map((saturationCutoff) => ({ ...own, saturationCutoff }));
  const values = (step: number) =>
    raised(own.valueCutoff, most.value, step).map((valueCutoff) => ({ ...own, valueCutoff }));
  const both = saturations(coarseStep).flatMap(({ saturationCutoff }) =>
    values(coarseStep).map(({ valueCutoff }) => ({ saturationCutoff, valueCutoff })),
  );
  const isFine = (separation: Separation) => {
    const { passing, lost } = judged(separation);
    return passing < 0 && !lost;
  };
  for (const all of [[own], saturations(fineStep), values(fineStep), both]) {
    for (const [at, cutoffs] of all.entries()) {
      const first = widest(cutoffs);
      if (!first) continue;
      if (all === both) return first;
      let last = at;
      while (last + 1 < all.length && isFine({ ...all[last + 1]!, tolerance: first.tolerance })) last++;
      return { ...first, ...all[(at + last) >> 1]! };
    }
  }
  return fault!;
}

/**
 * Does so on a frame.
 * @param frame the picture after the transform steps
 * @param wish of `separateBlobs`
 * @param mark the kernel's, where there is one
 * @returns as `separateBlobs`
 * @example
 * import { patternFrame } from '../frame/pattern-frame.ts';
 * const rule = { hueDeg: 0, tolerance: 0.1, saturationCutoff: 0.2, valueCutoff: 0.3, minAreaPx: 1, label: 'red' };
 * const marks = [{ box: [90, 90, 99, 99], isWanted: true, rule }];
 * separateOnFrame(patternFrame('rgba8', 4, 2), { rule, marks, most: { saturation: 1, value: 1 } }).reason; // => 'lost'
 */
export function separateOnFrame(frame: Frame, wish: BlobWish, mark?: MarkPixels): Separation | Inseparable {
  return separateBlobs(machinePixels(frame), frame.widthPx, wish, mark);
}

/** Cut-offs above one that is in force, in hundredths. */
function raised(from: number, most: number, step: number): readonly number[] {
  const count = Math.max(0, Math.floor((most - from) / step + 1e-9));
  return Array.from({ length: count }, (_, at) => Math.floor((from + (at + 1) * step) * 100 + 1e-9) / 100);
}

/** By pixel: 1 and more: the number of the box, counted from 1, whose group it belongs to; 0: of none. */
function pixelsOf(marks: readonly BlobMark[], pixels: Uint32Array, widthPx: number, mark: MarkPixels): Uint16Array {
  const owner = new Uint16Array(pixels.length);
  marks.forEach(({ box, rule }, number) => {
    const marked = mark(pixels, widthPx, pixelTest(rule));
    const blobs = findBlobs(marked, widthPx, rule.minAreaPx);
    for (let row = 0; row < blobs.count; row++) {
      if (box.some((side, at) => side !== blobs.box[4 * row + at])) continue;
      for (const at of flooded(marked, widthPx, box[0], blobs.firstRow[row]!)) owner[at] = number + 1;
    }
  });
  return owner;
}

/** The pixels of the group to which one belongs, whose marks are taken away. */
function flooded(marks: Uint32Array, widthPx: number, x: number, y: number): readonly number[] {
  const words = wordsOfRow(widthPx);
  const heightPx = marks.length / words;
  const group: number[] = [];
  const take = (column: number, row: number) => {
    if (column < 0 || row < 0 || column >= widthPx || row >= heightPx) return;
    const word = row * words + (column >> 5);
    const bit = 1 << (column & 31);
    if ((marks[word]! & bit) === 0) return;
    marks[word]! &= ~bit;
    group.push(row * widthPx + column);
  };
  take(x, y);
  for (let next = 0; next < group.length; next++) {
    const [column, row] = [group[next]! % widthPx, Math.floor(group[next]! / widthPx)];
    take(column - 1, row);
    take(column + 1, row);
    take(column, row - 1);
    take(column, row + 1);
  }
  return group;
}

function areaOf([xMin, yMin, xMax, yMax]: Box): number {
  return (xMax - xMin + 1) * (yMax - yMin + 1);
}

/** The common area of two boxes over that of both, 0..1. */
function overlap(one: Box, other: Box): number {
  const width = Math.min(one[2], other[2]) - Math.max(one[0], other[0]) + 1;
  const height = Math.min(one[3], other[3]) - Math.max(one[1], other[1]) + 1;
  const common = Math.max(0, width) * Math.max(0, height);
  return common / (areaOf(one) + areaOf(other) - common);
}
