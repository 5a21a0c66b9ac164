import type { GpuParity } from '../../../../workers/vision/protocol.ts';

/** The differences between GPU and CPU in one sentence for each stage of the frame's path. */
export function parityWords({ pixelLevels, tensor, outputs, boxes, scores }: GpuParity): readonly string[] {
  return [
    `Pixels: ${pixelLevels === 0 ? same : `up to ${pixelLevels} of 255 levels apart.`}`,
    `Model’s input: ${tensor === 0 ? same : apart(tensor)}`,
    `Model’s outputs: ${outputs === null ? 'they differ in size.' : outputs === 0 ? same : apart(outputs)}`,
    ...(boxes ? [boxWords(boxes)] : []),
    ...(scores === null ? [] : [`Scores of classes: ${scores === 0 ? same : apart(scores)}`]),
  ];
}

const same = 'the same on GPU and CPU, to the bit.';

function apart(difference: number): string {
  return difference === Infinity ? 'some are not numbers.' : `up to ${numberWords(difference)} apart.`;
}

const numberWords = (value: number): string => (value < 0.001 ? value.toExponential(1) : String(+value.toPrecision(2)));

function boxWords({ onGpu, onCpu, paired, largestShiftPx, largestScore }: NonNullable<GpuParity['boxes']>): string {
  if (onGpu === 0 && onCpu === 0) return 'Boxes: none on either.';
  if (paired < Math.max(onGpu, onCpu))
    return `Boxes: ${onGpu} on the GPU and ${onCpu} on the CPU, ${paired} of them on both.`;
  const shift = largestShiftPx === 0 ? 'at the same pixels' : `up to ${largestShiftPx} px apart`;
  const score = largestScore === 0 ? 'with the same scores' : `their scores up to ${numberWords(largestScore)} apart`;
  return `Boxes: ${paired} on both, ${shift}, ${score}.`;
}
