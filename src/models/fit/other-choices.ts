import type { FittedModel } from './fit-model.ts';

/** One option and a value that it did not have. */
export interface OtherChoice {
  readonly key: string;
  readonly value: string;
}

/** Options that say what a model's numbers mean. All others say how much of them is kept, or how frames are fed. */
const meanings = [
  'boxUnit',
  'boxForm',
  'decoding',
  'priors',
  'cellPoint',
  'activation',
  'scores',
  'background',
  'firstClass',
  'classScores',
  'anchorScale',
];

/**
 * Lists what a model may be meant by instead: each other choice of each option that says what its numbers mean, save those
 * that the graph itself tells.
 * @param fitted its options, as they may be set and as they were
 * @returns one option and value each; []: there is nothing else to choose
 * @example
 * const boxUnit = { kind: 'choice', key: 'boxUnit', choices: ['pixels', 'proportional'], usual: 'pixels', about: '' };
 * otherChoices({ optionSpecs: [boxUnit], options: { boxUnit: 'pixels' } }); // => [{ key: 'boxUnit', value: 'proportional' }]
 * otherChoices({ optionSpecs: [{ ...boxUnit, isToldByGraph: true }], options: { boxUnit: 'pixels' } }); // => []
 */
export function otherChoices({
  optionSpecs,
  options,
}: Pick<FittedModel, 'optionSpecs' | 'options'>): readonly OtherChoice[] {
  return optionSpecs.flatMap((spec) =>
    spec.kind === 'choice' && meanings.includes(spec.key) && !spec.isToldByGraph
      ? spec.choices.filter((value) => value !== options[spec.key]).map((value) => ({ key: spec.key, value }))
      : [],
  );
}
