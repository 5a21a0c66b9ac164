import { randomSource } from '../random-frame.ts';
import { headModel } from './head-models.ts';

/** The input size of these models: 96 + 24 + 6 cells of strides 8, 16 and 32. */
export const bestClassSize = { widthPx: 96, heightPx: 64 };
export const bestClassCells = 96 + 24 + 6;

/** The steps of 8 bits: boxes in steps of half a pixel that begin below 0, scores of 1/256. */
export const [boxStep, boxZero] = [0.5, 20];
const stepped = (value: number, step: number, zero: number) =>
  step * (Math.min(255, Math.max(0, Math.round(value / step) + zero)) - zero);

/** A row a cell: corners in pixels, a score and its class. `steps`: as bytes have them. */
export function bestClassHead(seed: number, steps: boolean) {
  const random = randomSource(seed);
  const value = (number: number, step: number, zero: number) =>
    Math.fround(steps ? stepped(number, step, zero) : number);
  return Array.from({ length: bestClassCells }, (_, row) => {
    const [x, y] = [70 * random() - 2, 40 * random() - 2];
    const corners = [x, y, x + 4 + 30 * random(), y + 4 + 30 * random()].map((side) => value(side, boxStep, boxZero));
    return {
      corners: corners as [number, number, number, number],
      // No two are equal, so that there is one order of rows.
      score: (2 * ((37 * row + 11 * seed) % 127) + 3) / 256,
      category: Math.floor(4 * random()),
    };
  });
}

export type BestClassRows = ReturnType<typeof bestClassHead>;
export const flat = (rows: BestClassRows) => ({
  boxes: rows.flatMap(({ corners }) => corners),
  scores: rows.map(({ score }) => score),
  classes: rows.map(({ category }) => category),
});

/** The same as an ONNX file. */
export function bestClassOnnx(rows: BestClassRows, classType: 'int64' | 'float32') {
  const { boxes, scores, classes } = flat(rows);
  return headModel(bestClassSize, (build) => {
    const same = (tensor: string) => build.add('Identity', [tensor]);
    build.output('boxes', same(build.floats([1, bestClassCells, 4], boxes)), 'float32', [1, bestClassCells, 4]);
    build.output('scores', same(build.floats([1, bestClassCells], scores)), 'float32', [1, bestClassCells]);
    const numbers =
      classType === 'int64' ? build.ints([1, bestClassCells], classes) : build.floats([1, bestClassCells], classes);
    build.output('class_idx', same(numbers), classType, [1, bestClassCells]);
  });
}
