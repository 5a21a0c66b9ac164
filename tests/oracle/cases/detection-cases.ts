import type { Dice } from './dice.ts';
import { randomPng } from './frame-recipes.ts';
import { filterAttributes, labelSource, labelTexts } from './filter-attributes.ts';
import { detectorOutputs, type OutputRecipe } from './model-recipes.ts';
import { caseOf, visionName, visionServices, type SeededCase } from './seeded-case.ts';

/** A detector with constant boxes, to compare how outputs are named, ordered, scaled, labelled and filtered. */
export function detectionCase(dice: Dice): SeededCase {
  const labels = labelTexts.slice(0, dice.whole(1, labelTexts.length));
  const count = dice.chance(0.1) ? dice.whole(4, 12) : dice.whole(1, 5);
  const outputs = dice.chance(0.3) ? scoresWithCategories(dice, count) : threeOutputs(dice, count, labels.length);
  const { service, model, files } = labelSource(dice, labels);
  const attributes = {
    ...service,
    ...filterAttributes(dice, dice.chance(0.5) ? labels : ['0', '1', '2']),
    ...(dice.chance(0.4) && { xmin_ymin_xmax_ymax_order: boxOrder(dice) }),
    ...outputs.attributes,
  };
  return caseOf({
    idea: 'detections',
    op: 'detect',
    labelFiles: files,
    config: { services: visionServices(attributes, model) },
    models: {
      [visionName]: {
        input: { heightPx: dice.pick([null, 8, 33]), widthPx: dice.pick([null, 5, 64]) },
        outputs: outputs.list,
      },
    },
    frames: [randomPng(dice, 60)],
  });
}

function boxOrder(dice: Dice): readonly number[] {
  if (dice.chance(0.1)) return dice.pick([[0, 1, 1, 2], [0, 1, 2], [1, 2, 3, 4], []]);
  return [0, 1, 2, 3]
    .map((coordinate) => [dice.next(), coordinate] as const)
    .sort(([a], [b]) => a - b)
    .map(([, c]) => c);
}

interface Outputs {
  readonly list: readonly OutputRecipe[];
  readonly attributes: object;
}

const names = { location: 'location', category: 'category', score: 'score' };

/** Three outputs with the standard names, with other names and a remap, or with names to guess from shape and values. */
function threeOutputs(dice: Dice, count: number, labelCount: number): Outputs {
  const most = dice.chance(0.05) ? labelCount : labelCount - 1;
  const categories = dice.list(count, () => (dice.chance(0.05) ? dice.pick([-1, -0.5, 0.9]) : dice.whole(0, most)));
  const naming = dice.pick(['own', 'own', 'remap', 'guess', 'uneven']);
  // If names are guessed, scores with an integer sum could also be categories, and the machine would choose one at random.
  const scoreValues = dice.list(count, (i) =>
    naming === 'guess' ? dice.decimal(0, 0.999) + 0.0001 * (i + 1) : score(dice),
  );
  const outputs = detectorOutputs(boxes(dice, count), categories, scoreValues);
  const [location, category, scores] = outputs as [OutputRecipe, OutputRecipe, OutputRecipe];
  const whole: OutputRecipe = dice.chance(0.2)
    ? { ...category, dtype: dice.pick(['int32', 'int64']), values: categories.map(Math.trunc) }
    : category;
  if (naming === 'own') return { list: shuffled(dice, [location, whole, scores]), attributes: {} };
  if (naming === 'uneven')
    return {
      list: [location, whole, { ...scores, shape: [1, count + 1], values: [...scores.values, 0.5] }],
      attributes: {},
    };
  const list = [location, whole, scores].map((output) => ({ ...output, name: `out_${output.name}` }));
  const remap_output_names = Object.fromEntries(Object.keys(names).map((name) => [`out_${name}`, name]));
  return { list: shuffled(dice, list), attributes: naming === 'remap' ? { remap_output_names } : {} };
}

/** Two outputs without categories: scores for each class, along either axis, or scores of a single class. */
function scoresWithCategories(dice: Dice, count: number): Outputs {
  const categories = dice.whole(1, 5);
  const values = dice.list(count * categories, () => score(dice));
  const shape = dice.chance(0.2)
    ? [1, count * categories]
    : dice.pick([
        [1, count, categories],
        [1, categories, count],
      ]);
  const list = [
    { name: 'boxes', shape: [1, count, 4], values: boxes(dice, count) },
    { name: 'scores', shape, values },
  ];
  const attributes = dice.chance(0.9) ? { remap_output_names: { boxes: 'location', scores: 'score' } } : {};
  return { list: shuffled(dice, list), attributes };
}

/** Boxes in fractions or pixels (the first box decides), also with reversed corners or far outside the picture. */
function boxes(dice: Dice, count: number): number[] {
  const inPixels = dice.chance(0.4);
  const coordinate = () => {
    if (dice.chance(0.05)) return dice.pick([-1, 0, 1, 1e9, -1e9]);
    return inPixels ? dice.decimal(0, 70, 2) : dice.decimal(-0.1, 1.1);
  };
  return dice.list(4 * count, coordinate);
}

function score(dice: Dice): number {
  return dice.chance(0.12) ? dice.pick([0, 1, -0.2, 1.001, 55, 150, 255, 0.7, 0.5]) : dice.decimal(0, 1, 4) + 0.00003;
}

function shuffled<T>(dice: Dice, list: readonly T[]): T[] {
  return list
    .map((item) => [dice.next(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}
