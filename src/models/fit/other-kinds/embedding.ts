import { has, longSides, named, type OtherKind } from './other-kind.ts';

/** Lengths of the vectors by which pictures, faces and persons are compared: powers of two, and those of transformers and MobileNets. */
const otherLengths = [96, 192, 384, 768, 1280, 1536];
const isUsual = (length: number) =>
  (length >= 64 && Number.isInteger(Math.log2(length))) || otherLengths.includes(length);

export const embedding: OtherKind = {
  id: 'embedding',
  is: 'makes an embedding: a vector by which faces, persons or pictures are compared with each other',
  machine:
    "The machine's vision service would take it for a classifier, and what that says is nonsense. A program gets the vector from its ML model service and compares it there. Is it a classifier all the same? Give its labels.",
  seen({ picture, outputs, labels, headOf }) {
    const [output, ...others] = outputs;
    const [length, ...more] = output ? longSides(output.shape) : [];
    if (picture === null || !output || others.length > 0 || more.length > 0 || length === undefined || length < 32)
      return null;
    const operators = headOf(output.name);
    const what = `Its only output ${named(output)}`;
    if (has(operators, 'Norm')) return `${what} is scaled to length 1.`;
    if (labels !== null || has(operators, 'Softmax') || has(operators, 'Sigmoid') || !isUsual(length)) return null;
    return `${what} has ${length} numbers, a usual length of such vectors; no softmax makes scores of them, and the file names no labels.`;
  },
};
