import type { Dice } from './dice.ts';
import { randomFrame, type FrameRecipe } from './frame-recipes.ts';
import { randomStep } from './random-steps.ts';
import { caseOf, sourceCamera, sourceName, transformCamera, type SeededCase } from './seeded-case.ts';

/** A chain of one to three transform cameras over any picture; compares the output of the last. */
export function transformCase(dice: Dice): SeededCase {
  const names = ['near', 'middle', 'far'].slice(0, dice.pick([1, 1, 1, 2, 3]));
  const cameras = names.map((name, i) => {
    const source = dice.chance(0.02) ? dice.pick(['', 'no such camera', name, 7]) : (names[i - 1] ?? sourceName);
    const steps = dice.chance(0.015) ? dice.pick([[], null, {}]) : dice.list(dice.whole(1, 4), () => randomStep(dice));
    return transformCamera(name, source, steps, dice.chance(0.1) ? cameraModel(dice) : {});
  });
  const components = [sourceCamera, ...cameras];
  return caseOf({
    idea: 'transform chain',
    op: 'transform',
    config: { components },
    camera: names.at(-1)!,
    frames: framesOfOneSize(dice),
  });
}

/** One frame, or two of equal size, because a change of size is a known departure (see departures.ts). */
function framesOfOneSize(dice: Dice): FrameRecipe[] {
  if (dice.chance(0.02)) return [{ bytes: dice.list(dice.whole(0, 40), () => dice.whole(0, 255)) }];
  const frame = randomFrame(dice);
  return 'png' in frame && dice.chance(0.2) ? [frame, { ...frame, seed: frame.seed + 7 }] : [frame];
}

/** Camera parameters, which are only reported and change no pixels. */
function cameraModel(dice: Dice): object {
  const size = () => dice.pick([640, 480, 3.7, 0, null, dice.pick([-1, '640', 1e30])]);
  const intrinsic_parameters = { width_px: size(), height_px: size(), fx: dice.decimal(1, 900), ppx: 3 };
  return dice.chance(0.5)
    ? { intrinsic_parameters }
    : { distortion_parameters: { rk1: dice.decimal(-1, 1), tp1: dice.pick([0.1, 0.2, null, '0.1']) } };
}
