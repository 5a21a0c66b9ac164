import type { ErrorKind } from './error-kinds.ts';

/** Kinds of error in words. */
export const kindWords: Readonly<Record<ErrorKind, { readonly title: string; readonly what: string }>> = {
  class: { title: 'Wrong label', what: 'The box overlaps truth of another label by 0.5 or more.' },
  place: { title: 'Wrong place', what: 'The label is right; the box overlaps the truth by 0.1 to 0.5.' },
  both: {
    title: 'Beside the truth',
    what: 'Neither the label nor the place is right: the box overlaps truth of another label by 0.1 to 0.5.',
  },
  twice: { title: 'Found twice', what: 'A surer box found the same truth.' },
  background: { title: 'Nothing there', what: 'The box overlaps no truth by more than 0.1.' },
  missed: { title: 'Missed', what: 'Nothing that is kept finds this truth.' },
};
