import { reshape } from '../../../onnx/face/graphs.ts';
import type { TensorInfo } from '../../../../machine/vision/face/feeding.ts';
import type { Head } from '../../structure/family.ts';
import type { Picture } from '../../structure/model-structure.ts';

/** An output, or several of one head, as a table of candidates: `rows` of `columns` numbers. */
export interface Table {
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
  /** [1, columns, rows], as heads of convolutions write it */
  readonly isTurned: boolean;
}

/** Outputs that say the same of grids of different strides, the finest first: together one table of a candidate an anchor. */
export interface Levels {
  /** name that the options have for them together */
  readonly name: string;
  readonly levels: readonly Level[];
  /** numbers of a cell, those of all its anchors */
  readonly channels: number;
}

interface Level {
  readonly name: string;
  /** cells of the grid */
  readonly height: number;
  readonly width: number;
  /** [1, channels, H, W], [1, H, W, channels] or [1, anchors, H, W, channels of one] */
  readonly layout: 'channels first' | 'channels last' | 'anchors first';
  /** number of anchors of a cell; null where the channels hold them all */
  readonly anchors: number | null;
}

/** Without its batch an output has two sizes, or those of a grid behind its channels; the longer side are the candidates. */
export function tableOf({ name, shape }: TensorInfo): Table[] {
  const sizes = shape[0] === 1 && shape.length > 2 ? shape.slice(1) : [...shape];
  const [first = 0, ...others] = sizes;
  const last = others.reduce((product, size) => product * size, 1);
  if (sizes.some((size) => size < 1) || sizes.length < 1 || sizes.length > 3) return [];
  if (sizes.length === 1) return [{ name, rows: first, columns: 1, isTurned: false }];
  const isTurned = first < last;
  return [{ name, rows: isTurned ? last : first, columns: isTurned ? first : last, isTurned }];
}

/** Grids of as many channels, two or more of each number. */
export function levelsOf(outputs: readonly TensorInfo[], picture: Picture): readonly Levels[] {
  const groups = new Map<number, Level[]>();
  for (const output of outputs) {
    const [channels, level] = levelOf(output, picture) ?? [];
    if (channels !== undefined && level) groups.set(channels, [...(groups.get(channels) ?? []), level]);
  }
  return [...groups]
    .filter(([, levels]) => levels.length > 1)
    .map(([channels, levels]) => ({
      name: `all ${levels.length} levels of ${channels}`,
      levels: levels.toSorted((a, b) => b.height - a.height),
      channels,
    }));
}

function levelOf({ name, shape }: TensorInfo, picture: Picture): [number, Level] | null {
  if (shape[0] !== 1 || shape.some((size) => size < 1)) return null;
  const [, a = 0, b = 0, c = 0, d = 0] = shape;
  if (shape.length === 5) return [a * d, { name, height: b, width: c, layout: 'anchors first', anchors: a }];
  if (shape.length !== 4) return null;
  // Cells have the proportions of the picture; channels do not.
  const isGrid = (height: number, width: number) => {
    const stride = Math.round(picture.heightPx / height);
    return (
      stride > 1 && Math.ceil(picture.heightPx / stride) === height && Math.ceil(picture.widthPx / stride) === width
    );
  };
  if (isGrid(b, c)) return [a, { name, height: b, width: c, layout: 'channels first', anchors: null }];
  return isGrid(a, b) ? [c, { name, height: a, width: b, layout: 'channels last', anchors: null }] : null;
}

/** The strides of the grids, in pixels of the picture. */
export function stridesOfLevels({ levels }: Levels, { heightPx }: Picture): readonly number[] {
  return levels.map(({ height }) => Math.round(heightPx / height));
}

/** Cell by cell, level by level. */
export function tableOfLevels({ name, levels, channels }: Levels, anchors: number): Table {
  const cells = levels.reduce((sum, { height, width }) => sum + height * width, 0);
  return { name, rows: anchors * cells, columns: channels / anchors, isTurned: false };
}

/** [1, rows, columns] */
export function rowsOfLevels({ build, output }: Head, { levels, channels }: Levels, anchors: number): string {
  const columns = channels / anchors;
  const tables = levels.map(({ name, height, width, layout }) => {
    const cells = height * width;
    if (layout === 'channels last') return reshape(build, output(name), [1, anchors * cells, columns]);
    const [shape, perm] =
      layout === 'anchors first'
        ? [
            [anchors, cells, columns],
            [1, 0, 2],
          ]
        : [
            [anchors, columns, cells],
            [2, 0, 1],
          ];
    const byCell = build.add('Transpose', [reshape(build, output(name), shape)], { perm: { ints: perm } });
    return reshape(build, byCell, [1, anchors * cells, columns]);
  });
  return build.add('Concat', tables, { axis: { int: 1 } });
}

/** [1, rows, columns] */
export function rowsOfTable({ build, output }: Head, { name, rows, columns, isTurned }: Table): string {
  if (!isTurned) return reshape(build, output(name), [1, rows, columns]);
  return build.add('Transpose', [reshape(build, output(name), [1, columns, rows])], { perm: { ints: [0, 2, 1] } });
}
