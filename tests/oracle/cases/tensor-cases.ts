import type { TinyInput } from '../../models.ts';
import type { Dice } from './dice.ts';
import { randomFrame } from './frame-recipes.ts';
import { detectorOutputs, type ModelRecipe } from './model-recipes.ts';
import { randomStep } from './random-steps.ts';
import {
  caseOf,
  sourceCamera,
  sourceName,
  transformCamera,
  visionName,
  visionServices,
  type SeededCase,
} from './seeded-case.ts';

/** A case that compares input tensors bit for bit: any model input and picture, directly or through a transform camera. */
export function tensorCase(dice: Dice): SeededCase {
  const input = randomInput(dice);
  const model: ModelRecipe = { input, outputs: detectorOutputs([0.1, 0.2, 0.7, 0.8], [0], [0.9]) };
  const throughCamera = dice.chance(0.4);
  return caseOf({
    idea: 'input tensor',
    op: 'detect',
    camera: throughCamera ? 'seen' : '',
    config: {
      components: [sourceCamera, transformCamera('seen', sourceName, [randomStep(dice)])],
      services: visionServices(tensorAttributes(dice, input.name!)),
    },
    models: { [visionName]: model },
    frames: [randomFrame(dice)],
  });
}

function randomInput(dice: Dice): TinyInput {
  const side = () => (dice.chance(0.25) ? null : dice.chance(0.2) ? dice.whole(1, 3) : dice.whole(1, 64));
  return {
    name: dice.chance(0.7) ? 'image' : dice.pick(['images', 'input_1', 'Image']),
    dtype: dice.pick(['uint8', 'float32']),
    layout: dice.pick(['NCHW', 'NHWC']),
    heightPx: side(),
    widthPx: side(),
  };
}

/** Means, standard deviations, channel order and the input's name, sometimes wrong. */
function tensorAttributes(dice: Dice, inputName: string): object {
  const values = (from: number, to: number) =>
    dice.list(dice.pick([3, 3, 3, 3, 3, 3, 4, 2]), () => dice.decimal(from, to));
  const mean = dice.chance(0.5) ? { input_image_mean_value: dice.chance(0.1) ? [] : values(-1, 2) } : {};
  const deviation = dice.chance(0.5)
    ? { input_image_std_dev: dice.chance(0.08) ? [1, 0, 1e-60] : values(0.001, 2) }
    : {};
  const remap = inputName !== 'image' && dice.chance(0.85) ? { remap_input_names: { [inputName]: 'image' } } : {};
  return { ...mean, ...deviation, ...remap, ...(dice.chance(0.4) && { input_image_bgr: true }) };
}
