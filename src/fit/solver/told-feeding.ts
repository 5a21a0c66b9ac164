import type { StatedFeeding } from '../../vision/inference/stated-feeding.ts';
import { isSameRange, rangeName } from '../interpretations/input-interpretations.ts';
import type { InputInterpretation } from '../interpretations/interpretation.ts';

/** What is said of a model's feeding, beside how it is fed now. */
export interface ToldFeeding {
  readonly said: StatedFeeding;
  readonly present: InputInterpretation;
}

/**
 * How much is left of a hypothesis for each thing, colours or range, that it feeds otherwise than is said: where the configuration
 * contradicts what is said, and where it follows it. A fitted file and its configuration were written together, so that they
 * agree says little; that one of them was changed since says all.
 */
const worth = {
  fitted: { contradicted: 0.02, followed: 0.4 },
  exporter: { contradicted: 0.05, followed: 0.2 },
  family: { contradicted: 0.6, followed: 0.6 },
} as const satisfies Record<StatedFeeding['source'], unknown>;

/** What an input differs in from what is said of it. */
export function departures(
  { bgr, meanValue, stdDev }: InputInterpretation,
  said: StatedFeeding,
): ('colours' | 'range')[] {
  const isOtherRange = said.range !== null && !isSameRange({ meanValue, stdDev }, said.range);
  return [
    ...(said.bgr !== null && said.bgr !== bgr ? (['colours'] as const) : []),
    ...(isOtherRange ? (['range'] as const) : []),
  ];
}

/** What is said makes of an input's likelihood, 0..1; 1 = it is fed as is said, or nothing is said. */
export function toldWorth(input: InputInterpretation, told: ToldFeeding | null): number {
  // A guess speaks for nothing: the frames decide.
  if (!told || told.said.guess !== null) return 1;
  const { contradicted, followed } = worth[told.said.source];
  const now = departures(told.present, told.said);
  return departures(input, told.said).reduce((left, one) => left * (now.includes(one) ? contradicted : followed), 1);
}

/** The input that is said, with what nothing is said of as it is now. */
export function inputAsTold({ said, present }: ToldFeeding): InputInterpretation {
  return { ...present, bgr: said.bgr ?? present.bgr, ...said.range };
}

/** "The model file says that it is fed BGR colours and values from 0 to 1" */
export function toldWords({ source, guess, familyName, bgr, range }: StatedFeeding): string {
  const parts = [
    ...(bgr === null ? [] : [`${bgr ? 'BGR' : 'RGB'} colours`]),
    ...(range ? [rangeName(range) || `mean ${listed(range.meanValue)} and deviation ${listed(range.stdDev)}`] : []),
  ].join(' and ');
  if (guess !== null) return `That it is fed ${parts} is only a guess`;
  return source === 'family'
    ? `Models of the kind ${familyName} are usually fed ${parts}`
    : `The model file says that it is fed ${parts}`;
}

function listed(values: readonly number[]): string {
  return values.map((value) => value.toFixed(3)).join(', ');
}
