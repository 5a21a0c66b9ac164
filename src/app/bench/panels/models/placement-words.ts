import type { StageInfo } from '../../../../../workers/vision/protocol.ts';
import type { Placed, Placement } from '../../../../machine/vision/face/runs.ts';

/**
 * Which part of a frame's path ran where, one sentence for each place and reason: "On the GPU: crop, the model's
 * input." Also whether the GPU's commands are captured.
 */
export function placementWords(
  { steps, packing, colours, notCaptured }: Placement,
  stages: readonly Pick<StageInfo, 'step' | 'type'>[],
): readonly string[] {
  const parts: { name: string; placed: Placed }[] = stages.flatMap(({ step, type }) =>
    step < 0 || type === '' ? [] : [{ name: type, placed: steps[step]! }],
  );
  if (colours) parts.unshift({ name: 'the camera’s colours', placed: colours });
  const namesAt = new Map<string, string[]>();
  for (const { name, placed } of [...parts, { name: 'the model’s input', placed: packing }]) {
    const place = placed.where === 'gpu' ? '' : placed.because;
    namesAt.set(place, [...(namesAt.get(place) ?? []), name]);
  }
  const places = [...namesAt].map(([because, names]) => {
    const listed = names.join(', ');
    return because === '' ? `Made on the GPU: ${listed}.` : `Made on the CPU: ${listed}, because ${ended(because)}`;
  });
  return notCaptured === undefined ? places : [...places, ordersWords(notCaptured)];
}

function ordersWords(notCaptured: string): string {
  if (notCaptured === '') return "The GPU's commands for the model are recorded once and repeated for each frame.";
  return `The GPU's commands for the model are written again for each frame, because ${ended(notCaptured)}`;
}

const ended = (reason: string): string => reason.replace(/\.?$/, '.');
