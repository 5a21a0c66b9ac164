import type { StageInfo } from '../../../workers/vision/protocol.ts';
import type { Placed, Placement } from '../../vision/placement.ts';

/** What of a frame's way ran where, a sentence for each place and reason: "Crop, resize, stretch and pack: GPU." And how the GPU has its orders. */
export function placementWords(
  { steps, packing, colours, notCaptured }: Placement,
  stages: readonly Pick<StageInfo, 'step' | 'type'>[],
): readonly string[] {
  const parts: { name: string; placed: Placed }[] = stages.flatMap(({ step, type }) =>
    step < 0 || type === '' ? [] : [{ name: type, placed: steps[step]! }],
  );
  if (colours) parts.unshift({ name: 'colours of the camera', placed: colours });
  const namesAt = new Map<string, string[]>();
  for (const { name, placed } of [...parts, { name: 'stretch and pack', placed: packing }]) {
    const place = placed.where === 'gpu' ? 'GPU.' : `CPU, because ${ended(placed.because)}`;
    namesAt.set(place, [...(namesAt.get(place) ?? []), name]);
  }
  const places = [...namesAt].map(([place, names]) => {
    const listed = names.join(', ');
    return `${listed[0]!.toUpperCase()}${listed.slice(1)}: ${place}`;
  });
  return notCaptured === undefined ? places : [...places, ordersWords(notCaptured)];
}

function ordersWords(notCaptured: string): string {
  if (notCaptured === '') return "The model's orders to the GPU are recorded, and repeated for each frame.";
  return `The model's orders to the GPU are written for each frame, because ${ended(notCaptured)}`;
}

const ended = (reason: string): string => reason.replace(/\.?$/, '.');
