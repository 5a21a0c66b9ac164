import { FitError } from './fit-error.ts';

export type OptionValue = number | string;

/** An option of a family's decoding that a user may set, with the family's usual value. */
export type OptionSpec = NumberOption | ChoiceOption | NumbersOption;

export interface NumberOption {
  readonly kind: 'number';
  readonly key: string;
  /** one sentence for people */
  readonly about: string;
  readonly least: number;
  readonly most: number;
  readonly whole: boolean;
  readonly usual: number;
}

export interface ChoiceOption {
  readonly kind: 'choice';
  readonly key: string;
  readonly about: string;
  readonly choices: readonly string[];
  readonly usual: string;
  /** the graph says it, so what a model finds on pictures decides nothing; absent: `usual` is what such models usually have */
  readonly isToldByGraph?: boolean;
}

/** Several numbers as text, parted by commas, blanks or slashes: "8, 16, 32". */
export interface NumbersOption {
  readonly kind: 'numbers';
  readonly key: string;
  readonly about: string;
  readonly least: number;
  readonly most: number;
  /** whether the numbers are the width and the height of a picture, which an x may part: "1280x720" */
  readonly areSides?: boolean;
  readonly usual: string;
}

export type OptionValues = Readonly<Record<string, OptionValue>>;

/** The usual values, save what is given. @throws FitError bad-option */
export function chooseOptions(specs: readonly OptionSpec[], given: OptionValues): Record<string, OptionValue> {
  const foreign = Object.keys(given).find((key) => !specs.some((spec) => spec.key === key));
  if (foreign !== undefined) {
    const known = specs.map(({ key }) => key).join(', ') || 'none';
    throw new FitError('bad-option', `There is no option "${foreign}" here. Options: ${known}.`);
  }
  return Object.fromEntries(specs.map((spec) => [spec.key, checked(spec, given[spec.key] ?? spec.usual)]));
}

/** The numbers of a `NumbersOption`; NaN where a part is none. */
export function numbersOf(value: OptionValue): number[] {
  return String(value)
    .split(/[\s,;/]+/)
    .filter((part) => part !== '')
    .map(Number);
}

/** The two numbers of an option whose `areSides` is set. */
export function sidesOf(value: OptionValue): number[] {
  return numbersOf(String(value).replace(/[x×]/, ' '));
}

/** Reads options for a head by their keys. */
export function readOptions(options: OptionValues) {
  return { number: (key: string) => Number(options[key]), choice: (key: string) => String(options[key]) };
}

function checked(spec: OptionSpec, value: OptionValue): OptionValue {
  if (spec.kind === 'choice') {
    if (typeof value === 'string' && spec.choices.includes(value)) return value;
    throw new FitError('bad-option', `${spec.key} is one of ${spec.choices.join(', ')}; got "${value}".`);
  }
  if (spec.kind === 'numbers') {
    const numbers = spec.areSides ? sidesOf(value) : numbersOf(value);
    const isCount = spec.areSides ? numbers.length === 2 : numbers.length > 0;
    if (isCount && numbers.every((one) => one >= spec.least && one <= spec.most)) return String(value);
    throw new FitError(
      'bad-option',
      `${spec.key} are ${spec.areSides ? 'two ' : ''}numbers from ${spec.least} to ${spec.most}; got "${value}".`,
    );
  }
  const number = Number(value);
  if (value !== '' && number >= spec.least && number <= spec.most && (!spec.whole || Number.isInteger(number))) {
    return number;
  }
  const kind = spec.whole ? 'a whole number' : 'a number';
  throw new FitError('bad-option', `${spec.key} is ${kind} from ${spec.least} to ${spec.most}; got "${value}".`);
}

export const scoreThreshold = (usual: number): NumberOption => ({
  kind: 'number',
  key: 'scoreThreshold',
  about:
    'Candidates at or below this score are dropped in the graph. Keep it low: thresholds of the bench decide later.',
  least: 0,
  most: 1,
  whole: false,
  usual,
});

export const iouThreshold = (usual: number): NumberOption => ({
  kind: 'number',
  key: 'iouThreshold',
  about: 'Of two boxes of one class that overlap by more than this (intersection over union), the lower goes.',
  least: 0,
  most: 1,
  whole: false,
  usual,
});

export const maxDetections = (usual = 100): NumberOption => ({
  kind: 'number',
  key: 'maxDetections',
  about: 'How many rows the graph gives, always: best first, and rows of score 0 where it finds fewer.',
  least: 1,
  most: 1000,
  whole: true,
  usual,
});

/** Few numbers, which the network has made anyway. */
export const keyPointsOption: ChoiceOption = {
  kind: 'choice',
  key: 'keyPoints',
  about:
    'keep: the file gives the key points of each box, too; the bench draws them, and the machine, which gives boxes only, ignores them.',
  choices: ['keep', 'leave out'],
  usual: 'keep',
};

/** Left out, since their part of the network takes time on the machine for nothing: see docs/decisions/details-for-the-bench.md. */
export const masksOption: ChoiceOption = {
  kind: 'choice',
  key: 'masks',
  about:
    'keep: the file gives the masks of the boxes, too; the bench draws them. The machine gives boxes only, and is slower for the masks: leave them out of the file that it gets.',
  choices: ['leave out', 'keep'],
  usual: 'leave out',
};

export const maxCandidates: NumberOption = {
  kind: 'number',
  key: 'maxCandidates',
  about: 'How many candidates suppression looks at, best first.',
  least: 1,
  most: 30_000,
  whole: true,
  usual: 2000,
};
