import { shapeText } from '../../vision/inference/tensor-values.ts';
import type { OtherKind } from './other-kind.ts';

/** Parts of MTCNN: whether a face is there, how to move the box, and maybe five points; for every place, or for each of several crops. */
export const cascadePart: OtherKind = {
  id: 'cascade-part',
  is: 'is one of the networks of a cascade (MTCNN), which only together find faces',
  machine:
    'The machine runs one model a service, and none that calls another. A face detector of one network, as YuNet or SCRFD, does the same work.',
  seen({ picture, outputs }) {
    if (!picture || outputs.length < 2 || outputs.length > 3) return null;
    const isSmall = picture.heightPx === -1 || (picture.heightPx <= 96 && picture.widthPx <= 96);
    const sizes = outputs.map(({ shape }) => (shape.length === 4 && shape[1]! > 5 ? shape[3]! : shape[1]!));
    const ranks = new Set(outputs.map(({ shape }) => shape.length));
    const isPart =
      sizes.includes(2) &&
      sizes.some((size) => size === 4 || size === 3) &&
      sizes.every((size) => [2, 3, 4, 10].includes(size));
    if (!isSmall || !isPart || ranks.size > 1 || ![2, 4].includes([...ranks][0]!)) return null;
    return `Its outputs ${outputs.map(({ name, shape }) => `"${name}" ${shapeText(shape)}`).join(', ')} are two scores and the numbers that move a box.`;
  },
};
