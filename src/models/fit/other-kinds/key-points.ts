import type { ModelStructure } from '../structure/model-structure.ts';
import { mapsOf } from './maps.ts';
import { has, longSides, named, tensorsOnly, type OtherKind } from './other-kind.ts';

/** Points of published networks: COCO, MPII and Halpe bodies, hands, faces of 5 to 478. */
const pointCounts = [14, 15, 16, 17, 18, 21, 23, 25, 26, 33, 39, 49, 68, 71, 76, 98, 106, 133, 468, 478];

export const keyPoints: OtherKind = {
  id: 'key-points',
  is: 'says key points (a pose, a hand, a face), and no boxes',
  machine: tensorsOnly,
  seen: (model) =>
    model.picture === null
      ? null
      : (pointRows(model) ?? simCc(model) ?? pointVector(model) ?? heatMaps(model) ?? placedMaps(model)),
};

/** MoveNet: [1, 1, 17, 3], or [1, 6, 56] of 17 points with a box and a score behind them. */
function pointRows({ outputs }: ModelStructure): string | null {
  const [output, ...others] = outputs;
  if (!output || others.length > 0) return null;
  const [points, numbers, ...more] = longSides(output.shape);
  if (more.length > 0 || points === undefined || numbers === undefined) return null;
  if (pointCounts.includes(points) && (numbers === 2 || numbers === 3))
    return `Its only output ${named(output)} is ${points} points of ${numbers} numbers each.`;
  return numbers === 56 && points <= 20
    ? `Its only output ${named(output)} has 17 points, a box and a score in each of ${points} rows.`
    : null;
}

/** RTMPose: for each point how likely it is in each column, and in each row, of a grid finer than the picture. */
function simCc({ picture, outputs }: ModelStructure): string | null {
  const [x, y] = outputs;
  if (outputs.length !== 2 || x!.shape.length !== 3 || y!.shape.length !== 3 || x!.shape[1] !== y!.shape[1])
    return null;
  const [columns, rows] = [x!.shape[2]!, y!.shape[2]!];
  const isOfSize = columns === 2 * picture!.widthPx && rows === 2 * picture!.heightPx;
  return isOfSize
    ? `${named(x!)} and ${named(y!)} are ${x!.shape[1]} points along two columns, and two rows, a pixel.`
    : null;
}

/** All points one after the other: [1, 136] is 68 of two numbers. */
function pointVector({ outputs, labels, headOf }: ModelStructure): string | null {
  if (labels !== null) return null;
  const vectors = outputs.filter(({ shape }) => longSides(shape).length === 1);
  // The other outputs are scores of one number, or maps of masks, beside them.
  if (vectors.length === 0 || outputs.some((one) => longSides(one.shape).length === 2)) return null;
  for (const vector of vectors) {
    const [count] = longSides(vector.shape) as [number];
    const operators = headOf(vector.name);
    const numbers = [2, 3, 5].find((numbers) => count % numbers === 0 && pointCounts.includes(count / numbers));
    const isSaid = !has(operators, 'Softmax') && !has(operators, 'Sigmoid');
    if (numbers !== undefined && count > 40 && isSaid)
      return `${named(vector)} is ${count / numbers} points of ${numbers} numbers each.`;
  }
  return null;
}

/** A map a point, fine enough to say where it is; offsets beside them have two or more numbers a point. */
function heatMaps(model: ModelStructure): string | null {
  const { picture, outputs } = model;
  const maps = mapsOf(model);
  if (maps.length === 0 || maps.length < outputs.length) return null;
  const [first] = maps;
  if (maps.some(({ heightPx, widthPx }) => heightPx !== first!.heightPx || widthPx !== first!.widthPx)) return null;
  const points = maps.find(({ channels }) => pointCounts.includes(channels) || channels === 19);
  if (!points) return null;
  const stride = Math.round(picture!.heightPx / points.heightPx);
  const hasOffsets = maps.some(
    ({ channels }) => channels === 2 * points.channels || channels === 2 * points.channels + 2,
  );
  return hasOffsets || (maps.length === 1 && (stride === 4 || stride === 2))
    ? `${named(points.tensor)} is a map for each of ${points.channels} points${hasOffsets ? ', with offsets beside it' : ''}.`
    : null;
}

/** A map a point, of any number of points, beside which another output has their places. */
function placedMaps(model: ModelStructure): string | null {
  for (const { tensor, channels } of mapsOf(model)) {
    const places = model.outputs.find(({ shape }) => {
      const [points, numbers, ...more] = longSides(shape);
      return points === channels && (numbers === 2 || numbers === 3) && more.length === 0;
    });
    if (channels > 4 && places)
      return `${named(tensor)} is a map for each of ${channels} points, and ${named(places)} has their places.`;
  }
  return null;
}
