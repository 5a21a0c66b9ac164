import type { Head } from '../structure/family.ts';
import type { ChoiceOption } from '../structure/options.ts';

export type Activation = 'none' | 'sigmoid' | 'softmax';

/** Whether one of a graph's operators has made probabilities of scores. */
export function areProbabilities(operators: ReadonlyMap<string, number>): boolean {
  return ['Sigmoid', 'Softmax', 'HardSigmoid'].some((operator) => operators.has(operator));
}

/** `usual` is what probabilities are made of where the graph has not. */
export const activationOption = (isMadeInGraph: boolean, usual: Activation): ChoiceOption => ({
  kind: 'choice',
  key: 'activation',
  about: 'What makes probabilities of the scores; none: they are.',
  choices: ['none', 'sigmoid', 'softmax'],
  usual: isMadeInGraph ? 'none' : usual,
  isToldByGraph: isMadeInGraph,
});

/** Scores [1, N, C] as the option `activation` says. */
export function activated({ build, choice }: Head, scores: string): string {
  switch (choice('activation')) {
    case 'sigmoid':
      return build.add('Sigmoid', [scores]);
    case 'softmax':
      return build.add('Softmax', [scores], { axis: { int: 2 } });
    default:
      return scores;
  }
}
