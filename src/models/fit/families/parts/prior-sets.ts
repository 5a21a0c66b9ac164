import type { OffsetCoding, Prior } from '../../attach/priors.ts';
import { asBytes, asSigned, type Preprocessing } from '../../structure/family.ts';
import type { InputSize } from '../../structure/input-size.ts';

/** The priors of one grid: the same shapes around the middle of every cell. */
interface PriorGrid {
  readonly columns: number;
  readonly rows: number;
  /** width of a cell, as a share of the input; a little more or less than 1/columns where the stride does not divide the input */
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly shapes: readonly PriorShape[];
}

type PriorShape = Pick<Prior, 'width' | 'height'>;

/** Priors that detectors were published with, and how such models are fed and suppressed. */
export interface PriorSet {
  /** the value of the option */
  readonly id: string;
  /** name by which people know the set */
  readonly name: string;
  /** for an input of this size; null where the set is of another */
  readonly grids: (size: InputSize) => readonly PriorGrid[] | null;
  /** centres and sizes are kept between 0 and 1 */
  readonly isClipped: boolean;
  readonly coding: OffsetCoding;
  /** five key points a prior come out beside the boxes */
  readonly hasPoints: boolean;
  readonly preprocessing: Preprocessing;
  readonly iou: number;
}

/** How many priors a set has for an input of this size; 0 where it is of another. */
export function priorCount(set: PriorSet, size: InputSize): number {
  return (set.grids(size) ?? []).reduce((sum, { columns, rows, shapes }) => sum + columns * rows * shapes.length, 0);
}

/** Grid by grid, row by row, cell by cell, and in a cell shape by shape. */
export function priorsOf(set: Pick<PriorSet, 'grids' | 'isClipped'>, size: InputSize): Prior[] {
  const within = (share: number) => (set.isClipped ? Math.min(1, Math.max(0, share)) : share);
  return (set.grids(size) ?? []).flatMap(({ columns, rows, cellWidth, cellHeight, shapes }) =>
    Array.from({ length: columns * rows }, (_, cell) => ({
      x: within(((cell % columns) + 0.5) * cellWidth),
      y: within((Math.floor(cell / columns) + 0.5) * cellHeight),
    })).flatMap((centre) =>
      shapes.map(({ width, height }) => ({ ...centre, width: within(width), height: within(height) })),
    ),
  );
}

/** Grids of strides whose priors are squares of so many pixels, as face detectors have them. */
export function squareGrids(
  strides: readonly number[],
  sidesPx: readonly (readonly number[])[],
  cellsAlong: (sizePx: number, stride: number) => number,
): PriorSet['grids'] {
  return ({ widthPx, heightPx }) =>
    strides.map((stride, level) => ({
      columns: cellsAlong(widthPx, stride),
      rows: cellsAlong(heightPx, stride),
      cellWidth: stride / widthPx,
      cellHeight: stride / heightPx,
      shapes: sidesPx[level]!.map((side) => ({ width: side / widthPx, height: side / heightPx })),
    }));
}

/** Square grids of a square input, the cells of each `1/count` or, where strides are given, those many pixels. */
function ssdGrids(
  sidePx: number,
  counts: readonly number[],
  shapes: readonly (readonly PriorShape[])[],
  strides?: readonly number[],
): PriorSet['grids'] {
  return ({ widthPx, heightPx }) =>
    widthPx !== sidePx || heightPx !== sidePx
      ? null
      : counts.map((count, level) => {
          const cell = strides ? strides[level]! / sidePx : 1 / count;
          return { columns: count, rows: count, cellWidth: cell, cellHeight: cell, shapes: shapes[level]! };
        });
}

/** SSD's shapes of a grid: a square, one of the mean size of this grid and the next, and each ratio lying and standing. */
function ssdShapes(scales: readonly number[], ratios: readonly (readonly number[])[]): PriorShape[][] {
  return ratios.map((ofGrid, level) => {
    const scale = scales[level]!;
    const between = Math.sqrt(scale * scales[level + 1]!);
    return [
      { width: scale, height: scale },
      { width: between, height: between },
      ...ofGrid.flatMap((ratio) => lyingAndStanding(scale, ratio)),
    ];
  });
}

function lyingAndStanding(scale: number, ratio: number): PriorShape[] {
  const [long, short] = [scale * Math.sqrt(ratio), scale / Math.sqrt(ratio)];
  return [
    { width: long, height: short },
    { width: short, height: long },
  ];
}

/** The first grid has three shapes only, the others SSD's, the square of the mean size last or second. */
function mobileShapes(
  first: readonly PriorShape[],
  scales: readonly number[],
  meanSizeAt: 'second' | 'last',
): PriorShape[][] {
  const others = ssdShapes(
    scales,
    Array.from({ length: scales.length - 1 }, () => [2, 3]),
  );
  const ordered = others.map(([square, between, ...rest]) =>
    meanSizeAt === 'second' ? [square!, between!, ...rest] : [square!, ...rest, between!],
  );
  return [[...first], ...ordered];
}

const inPixels = (sidePx: number, sizes: readonly number[]) => sizes.map((size) => size / sidePx);
const everyGrid = (ratios: readonly number[]) => Array.from({ length: 6 }, () => ratios);
const vggRatios = [[2], [2, 3], [2, 3], [2, 3], [2], [2]];
const vggGrids = (sizesPx: readonly number[]) =>
  ssdGrids(300, [38, 19, 10, 5, 3, 1], ssdShapes(inPixels(300, sizesPx), vggRatios), [8, 16, 32, 64, 100, 300]);
const mobileCounts = [19, 10, 5, 3, 2, 1];

const ssdCoding: OffsetCoding = { variances: [0.1, 0.2], order: 'x first' };
const fromBytes = (mean: readonly [number, number, number], deviation: number) => ({
  mean: [mean[0] / 255, mean[1] / 255, mean[2] / 255] as const,
  stdDev: [deviation / 255, deviation / 255, deviation / 255] as const,
});
const caffeBytes = { colour: 'bgr', ...fromBytes([104, 117, 123], 1), letterbox: null } as const;
const signed = { colour: 'rgb', ...asSigned, letterbox: null } as const;
const faces = { colour: 'rgb', ...fromBytes([127, 127, 127], 128), letterbox: null } as const;

const retinaFace = {
  isClipped: false,
  coding: ssdCoding,
  hasPoints: true,
  preprocessing: { ...caffeBytes, letterbox: { border: 0, at: 'top-left' } },
  iou: 0.4,
} as const;

/** Sides of the squares of UltraFace and of the first YuNets, of strides 8, 16, 32 and 64. */
export const faceSidesPx = [
  [10, 16, 24],
  [32, 48],
  [64, 96],
  [128, 192, 256],
];
export const faceStrides = [8, 16, 32, 64];

/** The usual of those with one number of priors first. */
export const priorSets: readonly PriorSet[] = [
  {
    id: 'retinaface',
    name: 'RetinaFace',
    // prettier-ignore
    grids: squareGrids([8, 16, 32], [[16, 32], [64, 128], [256, 512]], cellsTouched),
    ...retinaFace,
  },
  {
    id: 'retinaface-small',
    name: 'RetinaFace with the smaller priors of its 1 MB models',
    // prettier-ignore
    grids: squareGrids([8, 16, 32], [[10, 20], [32, 64], [128, 256]], cellsTouched),
    ...retinaFace,
  },
  {
    id: 'retinaface-slim',
    name: 'RetinaFace of four grids, slim or RFB',
    grids: squareGrids(faceStrides, faceSidesPx, cellsTouched),
    ...retinaFace,
  },
  {
    id: 'ultraface',
    name: 'UltraFace',
    grids: squareGrids(faceStrides, faceSidesPx, cellsTouched),
    isClipped: true,
    coding: ssdCoding,
    hasPoints: false,
    preprocessing: faces,
    iou: 0.3,
  },
  {
    id: 'ssd300-coco',
    name: "torchvision's SSD300",
    grids: vggGrids([21, 45, 99, 153, 207, 261, 315]),
    isClipped: true,
    coding: ssdCoding,
    hasPoints: false,
    preprocessing: { colour: 'rgb', mean: [0.48235, 0.45882, 0.40784], stdDev: asBytes.stdDev, letterbox: null },
    iou: 0.45,
  },
  {
    id: 'ssd300-voc',
    name: "Caffe's SSD300 for VOC",
    grids: vggGrids([30, 60, 111, 162, 213, 264, 315]),
    isClipped: false,
    coding: ssdCoding,
    hasPoints: false,
    preprocessing: caffeBytes,
    iou: 0.45,
  },
  {
    id: 'ssdlite320',
    name: "torchvision's SSDLite320",
    grids: ssdGrids(320, [20, 10, 5, 3, 2, 1], ssdShapes([0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 1], everyGrid([2, 3]))),
    isClipped: true,
    coding: ssdCoding,
    hasPoints: false,
    preprocessing: signed,
    iou: 0.55,
  },
  {
    id: 'mobilenet-ssd300',
    name: 'SSD and SSDLite300 of pytorch-ssd',
    grids: ssdGrids(
      300,
      mobileCounts,
      ssdShapes(inPixels(300, [60, 105, 150, 195, 240, 285, 330]), everyGrid([2, 3])),
      [16, 32, 64, 100, 150, 300],
    ),
    isClipped: true,
    coding: ssdCoding,
    hasPoints: false,
    preprocessing: faces,
    iou: 0.45,
  },
  {
    id: 'tensorflow',
    name: "TensorFlow's SSD300 of MobileNet",
    grids: ssdGrids(
      300,
      mobileCounts,
      mobileShapes([{ width: 0.1, height: 0.1 }, ...lyingAndStanding(0.2, 2)], [0.35, 0.5, 0.65, 0.8, 0.95, 1], 'last'),
    ),
    isClipped: false,
    coding: { ...ssdCoding, order: 'y first' },
    hasPoints: false,
    preprocessing: signed,
    iou: 0.6,
  },
  {
    id: 'caffe-mobilenet',
    name: "Caffe's SSD300 of MobileNet",
    grids: ssdGrids(
      300,
      mobileCounts,
      mobileShapes(
        [{ width: 0.2, height: 0.2 }, ...lyingAndStanding(0.2, 2)],
        inPixels(300, [105, 150, 195, 240, 285, 300]),
        'second',
      ),
    ),
    isClipped: false,
    coding: ssdCoding,
    hasPoints: false,
    preprocessing: { ...signed, colour: 'bgr' },
    iou: 0.45,
  },
];

/** A cell counts where any of it lies in the picture. */
function cellsTouched(sizePx: number, stride: number): number {
  return Math.ceil(sizePx / stride);
}
