import type { Dice } from './dice.ts';
import { randomPng } from './frame-recipes.ts';
import { filterAttributes, labelSource, labelTexts } from './filter-attributes.ts';
import type { OutputRecipe } from './model-recipes.ts';
import { caseOf, visionName, visionServices, type SeededCase } from './seeded-case.ts';

/** A classifier with constant outputs (probabilities, logits or a single value), with labels, filters and a top-n limit. */
export function classificationCase(dice: Dice): SeededCase {
  const labels = labelTexts.slice(0, dice.whole(1, labelTexts.length));
  const count = labels.length + (dice.chance(0.08) ? dice.pick([-1, 1]) : 0);
  const probabilities: OutputRecipe = {
    name: dice.pick(['probability', 'probability', 'softmax']),
    shape: dice.pick([[1, count], [count], [1, 1, count], [1, count, 1, 1]]),
    values: differentValues(dice, count),
    ...(dice.chance(0.1) && { dtype: 'uint8' }),
  };
  const more: OutputRecipe[] = dice.chance(0.1) ? [{ name: 'other', shape: [1, 2], values: [1, 2] }] : [];
  const remap = dice.chance(0.2) ? { remap_output_names: { [probabilities.name]: 'probability' } } : {};
  const { service, model, files } = labelSource(dice, labels);
  return caseOf({
    idea: 'classifications',
    op: 'classify',
    labelFiles: files,
    config: { services: visionServices({ ...service, ...filterAttributes(dice, labels), ...remap }, model) },
    models: { [visionName]: { input: { heightPx: 4, widthPx: 4 }, outputs: [...more, probabilities] } },
    frames: [randomPng(dice, 12)],
    top: dice.pick([0, 1, 2, 3, 100, -1]),
  });
}

/** Different values, because the order of equal scores is a known departure, tested elsewhere. */
function differentValues(dice: Dice, count: number): number[] {
  const [from, to] = dice.pick([
    [0, 1],
    [0, 1],
    [-1, 1],
    [-8, 8],
    [-1, 0],
    [0, 300],
  ] as const);
  const values = new Set<number>();
  while (values.size < count) values.add(dice.decimal(from, to));
  return [...values];
}
