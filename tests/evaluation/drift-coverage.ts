import { compareFrames } from '../../src/evidence/drift/compare-frames.ts';
import type { FrameFeatures } from '../../src/evidence/drift/frame-features.ts';
import { seededDraws } from './seeded-frames.ts';

export type DriftWorld = 'single images' | 'clips' | 'rare labels';

const framesOfClip = 6;

/** Frames of one world: those of a clip share light, things and their sizes. */
function draw(world: DriftWorld, seed: number, units: number): FrameFeatures[] {
  const { uniform, normal } = seededDraws(seed);
  const size = world === 'clips' ? framesOfClip : 1;
  return Array.from({ length: units }, (_, unit) => {
    const [light, area, count] = [0.5 + 0.15 * normal(), 0.3 * uniform(), Math.floor(5 * uniform())];
    const isRare = world === 'rare labels' && uniform() < 0.1;
    return Array.from({ length: size }, (__, frame): FrameFeatures => {
      const name = `${seed} ${unit} ${frame}`;
      return {
        id: name,
        name,
        group: world === 'clips' ? `clip ${seed} ${unit}` : '',
        statistics: { brightness: light + 0.01 * normal(), contrast: 0.3 * uniform(), sharpness: 500 * uniform() },
        boxes: Array.from({ length: count }, (___, at) => ({
          label: isRare && at === 0 ? 'fork' : 'cup',
          area: area + 0.05 * uniform(),
          score: 0.5 + 0.5 * uniform(),
        })),
      };
    });
  }).flat();
}

/** How many comparisons of frames with others of the same world raise an alarm. */
export function alarmsOn(
  world: DriftWorld,
  { level, comparisons, units = 24 }: { readonly level: number; readonly comparisons: number; readonly units?: number },
): number {
  let alarms = 0;
  for (let run = 1; run <= comparisons; run++) {
    const sides = { reference: draw(world, 2 * run, units), later: draw(world, 2 * run + 1, units) };
    const { shifts } = compareFrames(sides, { level, seed: run, permutations: 399 });
    if (shifts.some(({ isShift }) => isShift)) alarms++;
  }
  return alarms;
}
