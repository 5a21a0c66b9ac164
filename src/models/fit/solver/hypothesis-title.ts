import { rangeName } from '../interpretations/input-interpretations.ts';
import { boxOrderWords } from '../interpretations/interpretation.ts';
import type { Change, Hypothesis } from './hypothesis.ts';

/**
 * Says what a hypothesis supposes, as a heading.
 * @param hypothesis what it changes
 * @returns words such as "Boxes are x, y, x, y"
 * @example
 * titleOf({ changes: [] }); // => 'As it is now'
 */
export function titleOf(hypothesis: Hypothesis): string {
  const { changes } = hypothesis;
  if (changes.length === 0) return 'As it is now';
  const parts = changes.map((change) => titles[change](hypothesis));
  return [parts[0]!, ...parts.slice(1).map((part) => part.charAt(0).toLowerCase() + part.slice(1))].join(', and ');
}

const titles: Readonly<Record<Change, (hypothesis: Hypothesis) => string>> = {
  tensors: () => 'The outputs are other than they are named',
  'box-order': ({ output }) =>
    output.kind === 'detections' ? `Boxes are ${boxOrderWords(output.boxOrder)}` : 'Boxes are in another order',
  'box-form': ({ output }) =>
    output.kind === 'detections' ? `A box is ${output.boxForm}` : 'A box is not two corners',
  'box-space': ({ output }) =>
    output.kind === 'detections' && output.space === 'absolute'
      ? 'Boxes are in pixels of the model’s input'
      : 'Boxes are parts of the frame',
  activation: ({ output }) => `Scores still need ${output.activation}`,
  background: ({ output }) =>
    output.classBase === 'background-first' ? 'Class 0 is background' : 'Class 0 is a class like the others',
  colours: ({ feeding }) => `Colours are ${feeding.input.bgr ? 'BGR' : 'RGB'}`,
  range: ({ feeding }) => `The model expects ${rangeName(feeding.input) || 'other values'}`,
  letterbox: () => 'The model expects frames in their own shape, with a margin',
  turn: ({ feeding }) =>
    feeding.turnDegs === 180
      ? 'The camera hangs upside down'
      : `The camera lies on its ${feeding.turnDegs === 90 ? 'left' : 'right'} side`,
  labels: () => 'The list of labels is one line off',
  threshold: () => 'The threshold is wrong',
  suppression: () => 'Nothing takes away boxes that lie over each other',
};
