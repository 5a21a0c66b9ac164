import { named, type OtherKind } from './other-kind.ts';

/** Parts of MTCNN: whether a face is there, how to move the box, and maybe five points; for every place, or for each of several crops. */
export const cascadePart: OtherKind = {
  id: 'cascade-part',
  is: 'is one of the networks of a cascade (MTCNN), which only together find faces',
  machine:
    'The machine runs one model a service, and none that calls another. A face detector of one network, as YuNet or SCRFD, does the same work.',
  seen({ picture, outputs }) {
    if (!picture || outputs.length < 2 || outputs.length > 3) return null;
    const isSmall = picture.heightPx === -1 || (picture.heightPx <= 96 && picture.widthPx <= 96);
    const shapes = outputs.map(({ shape }) => shape);
    const numbers = numbersOf(shapes);
    const isPart = numbers.includes(2) && numbers.some((count) => count === 4 || count === 3);
    if (!isSmall || !isPart || numbers.some((count) => ![2, 3, 4, 10].includes(count))) return null;
    return `Its outputs ${outputs.map(named).join(', ')} are two scores and the numbers that move a box.`;
  },
};

/** How many numbers each output has for a crop, or for a place of one grid; []: they are of neither form. */
function numbersOf(shapes: readonly (readonly number[])[]): readonly number[] {
  const are = (rank: number, sides: readonly number[]) =>
    shapes.every((shape) => shape.length === rank && sides.every((side) => shape[side] === shapes[0]![side]));
  if (are(2, [0])) return shapes.map((shape) => shape[1]!);
  if (are(4, [2, 3])) return shapes.map((shape) => shape[1]!);
  return are(4, [1, 2]) ? shapes.map((shape) => shape[3]!) : [];
}
