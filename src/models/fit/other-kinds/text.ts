import { mapsOf } from './maps.ts';
import { longSides, named, tensorsOnly, type OtherKind } from './other-kind.ts';

export const textRecognition: OtherKind = {
  id: 'text-recognition',
  is: 'reads a line of text (OCR, number plates): it says a character for each step along the line',
  machine: `${tensorsOnly} It reads lines that another model has found.`,
  seen({ picture, outputs }) {
    const [output, ...others] = outputs;
    if (!picture || !output || others.length > 0) return null;
    const { heightPx, widthPx } = picture;
    const isLine = heightPx >= 24 && heightPx <= 64 && (widthPx === -1 || widthPx >= 1.5 * heightPx);
    if (isLine && areCharactersFirst(output.shape, widthPx))
      return `Its input is a line ${heightPx} px high, and its only output ${named(output)} has a score for each of ${output.shape.at(-2)} characters at ${output.shape.at(-1)} steps along it.`;
    if (output.shape.length !== 3) return null;
    const [first, steps, characters] = output.shape as [number, number, number];
    // Steps come first where the batch stands in the middle.
    const [along, batch] = steps <= 1 && first > 1 ? [first, steps] : [steps, first];
    const isSteps =
      along === -1 || widthPx === -1 || [2, 4, 8].some((stride) => Math.abs(widthPx / stride - along) <= 1);
    if (!isLine || batch > 1 || characters < 11 || !isSteps) return null;
    return `Its input is a line ${heightPx} px high, and its only output ${named(output)} has ${characters} characters a step.`;
  },
};

/** LPRNet, of number plates: [characters, steps], with or without a batch, and a step each 2 to 8 pixels. */
function areCharactersFirst(shape: readonly number[], widthPx: number): boolean {
  const [characters = 0, steps = 0] = shape.slice(-2);
  const isOfOne = shape.length === 2 || (shape.length === 3 && Math.abs(shape[0]!) === 1);
  return isOfOne && characters >= 30 && characters > steps && steps >= widthPx / 8 - 1 && steps <= widthPx / 2 + 1;
}

/** EAST: how likely text is at each quarter of the picture, and where its box lies from there, with an angle. */
export const textDetection: OtherKind = {
  id: 'text-detection',
  is: 'finds text (EAST) as turned boxes',
  machine: tensorsOnly,
  seen(model) {
    const maps = mapsOf(model);
    if (maps.length !== 2 || model.outputs.length !== 2) return null;
    const [score, geometry] = maps.toSorted((a, b) => a.channels - b.channels);
    if (score!.channels !== 1 || geometry!.channels !== 5 || longSides(score!.tensor.shape).length !== 2) return null;
    return `"${score!.tensor.name}" has a score for each place, and "${geometry!.tensor.name}" four distances and an angle.`;
  },
};
