import type { Head } from '../family.ts';
import type { ChoiceOption } from '../options.ts';

export type Activation = 'none' | 'sigmoid' | 'softmax';

export const activationOption = (usual: Activation): ChoiceOption => ({
  kind: 'choice',
  key: 'activation',
  about: 'What makes probabilities of the scores; none: they are.',
  choices: ['none', 'sigmoid', 'softmax'],
  usual,
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
