import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { classificationCase } from './cases/classification-cases.ts';
import { configurationCase } from './cases/configuration-cases.ts';
import { detectionCase } from './cases/detection-cases.ts';
import { diceOf, type Dice } from './cases/dice.ts';
import { publishedModelCase, publishedModels } from './cases/published-model-cases.ts';
import type { SeededCase } from './cases/seeded-case.ts';
import { tensorCase } from './cases/tensor-cases.ts';
import { transformCase } from './cases/transform-cases.ts';

const hasPublishedModels = existsSync(fileURLToPath(new URL(`../../${publishedModels}`, import.meta.url)));

/** Generators of cases with their shares of a run. `needsModels`: requires Python's onnxruntime. */
const generators: readonly { share: number; needsModels: boolean; make: (dice: Dice) => SeededCase }[] = [
  { share: 34, needsModels: false, make: transformCase },
  { share: 20, needsModels: true, make: tensorCase },
  { share: 20, needsModels: true, make: detectionCase },
  { share: 12, needsModels: true, make: classificationCase },
  { share: 10, needsModels: true, make: configurationCase },
  { share: hasPublishedModels ? 4 : 0, needsModels: true, make: publishedModelCase },
];

/** The first `count` cases of a seed. Each depends only on the seed and its number. */
export function seededCases(seed: number, count: number, withModels: boolean): SeededCase[] {
  const able = generators.filter(({ needsModels }) => withModels || !needsModels);
  const makers = able.flatMap(({ share, make }) => Array<typeof make>(share).fill(make));
  return Array.from({ length: count }, (_, number) => {
    const dice = diceOf(seed, number);
    return dice.pick(makers)(dice);
  });
}
