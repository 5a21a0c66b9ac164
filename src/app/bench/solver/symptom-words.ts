import type { Symptom } from '../../../models/fit/solver/symptom.ts';

/** The symptoms that a person can report, in the order of the questions. */
export const symptoms: readonly { readonly symptom: Symptom; readonly words: string }[] = [
  { symptom: 'unsure', words: 'I am not sure' },
  { symptom: 'nothing', words: 'Nothing at all' },
  { symptom: 'corner', words: 'All in a corner' },
  { symptom: 'shifted', words: 'Shifted or the wrong size' },
  { symptom: 'mirrored', words: 'Mirrored or sideways' },
  { symptom: 'one-label', words: 'One label everywhere' },
  { symptom: 'wrong-labels', words: 'Wrong labels' },
  { symptom: 'hundreds', words: 'Hundreds of boxes' },
];
