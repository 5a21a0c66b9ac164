import { named, type OtherKind } from './other-kind.ts';

export const noPicture: OtherKind = {
  id: 'no-picture',
  is: 'takes no picture in colours',
  machine: "The machine's vision service feeds pictures of three channels, and no other input.",
  seen({ picture, inputs }) {
    const [input] = inputs;
    if (picture || !input) return null;
    const { shape } = input;
    const isGrey =
      shape.length === 4 && (shape[1] === 1 || shape[3] === 1) && shape.filter((size) => size > 8).length === 2;
    const what = `Its first input ${named(input)}`;
    if (isGrey) return `${what} is a picture of one channel, grey.`;
    return `${what} is not a picture of three channels, 1×3×height×width or 1×height×width×3.`;
  },
};

/** Sequences hand a state from frame to frame; others want a style, a prompt, a second picture. */
export const moreInputs: OtherKind = {
  id: 'more-inputs',
  is: 'takes more than a picture',
  machine:
    "The machine's vision service fills one input, with the picture; at the first frame such a model is refused.",
  seen({ inputs }) {
    const more = inputs.slice(1).map(named);
    return more.length === 0
      ? null
      : `Its further inputs are ${more.join(', ')}, and nothing says what they are to hold.`;
  },
};
