import { encode } from 'fast-png';
import { headModel, type HeadModel } from './head-models.ts';

/** What `colourClassifier` tells apart. */
const colourNames = ['grey', 'red', 'blue', 'nothing'] as const;

/** Mean colours as its network sees them: values of 0 to 1, blue first. */
const meant = [
  [0.5, 0.5, 0.5],
  [0.1, 0.1, 0.9],
  [0.9, 0.1, 0.1],
];
/** How steeply a class becomes unlikely with the squared distance from its colour, and the distance from which it is nothing. */
const steepness = 20;
const farthest = 0.3;

/**
 * A classifier of a picture's mean colour, whose weights alone say that it is fed BGR and values from 0 to 1: fed otherwise it sees another colour,
 * or nothing.
 */
export function colourClassifier(model: HeadModel = {}): Uint8Array<ArrayBuffer> {
  const metadata = { names: `{${colourNames.map((name, at) => `${at}: '${name}'`).join(', ')}}` };
  return headModel({ widthPx: 16, heightPx: 16, metadata, ...model }, (build, image) => {
    const mean = build.add('Reshape', [build.add('GlobalAveragePool', [image]), build.ints([2], [1, 3])]);
    const apart = build.add('Sub', [mean, build.floats([meant.length, 3], meant.flat())]);
    const squares = build.add('Mul', [apart, apart]);
    const distances = build.add('MatMul', [squares, build.floats([3, 1], [1, 1, 1])]);
    const near = build.add('Mul', [distances, build.floats([1], [-steepness])]);
    const all = build.add('Concat', [near, build.floats([1, 1], [-steepness * farthest])], { axis: { int: 0 } });
    const scores = build.add('Reshape', [all, build.ints([2], [1, meant.length + 1])]);
    build.output('scores', scores, 'float32', [1, meant.length + 1]);
  });
}

/** A picture of one colour, 0..1 each, as a PNG. */
export function colourPicture([red, green, blue]: readonly [number, number, number]): Uint8Array<ArrayBuffer> {
  const [width, height] = [24, 16];
  const data = new Uint8Array(3 * width * height);
  for (let at = 0; at < data.length; at += 3) data.set([255 * red, 255 * green, 255 * blue].map(Math.round), at);
  return new Uint8Array(encode({ width, height, data, channels: 3, depth: 8 }));
}

export const grey = [0.5, 0.5, 0.5] as const;
export const red = [0.9, 0.1, 0.1] as const;
