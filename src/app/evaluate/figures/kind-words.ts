import type { ErrorKind } from '../../../evaluation/sweep/error-kinds.ts';

/** Kinds of error in words. */
export const kindWords: Readonly<Record<ErrorKind, { readonly title: string; readonly what: string }>> = {
  class: { title: 'Wrong label', what: 'The box is right, its label is another one.' },
  place: { title: 'Wrong place', what: 'The label is right; the box overlaps the truth by 0.1 to 0.5.' },
  both: {
    title: 'Beside the truth',
    what: 'The box overlaps truth that it does not find: truth of another label, or truth that a surer box found.',
  },
  twice: { title: 'Found twice', what: 'A surer box found the same truth.' },
  background: { title: 'Nothing there', what: 'The box overlaps no truth by more than 0.1.' },
  missed: { title: 'Missed', what: 'Nothing that is kept finds this truth.' },
};
