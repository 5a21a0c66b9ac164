import type { StatedFeeding } from '../../../machine/vision/face/inference.ts';
import type { PictureSize } from '../../../machine/vision/face/traces.ts';
import type { InferenceSizes } from '../interpretations/box-rows.ts';
import { isSameRange, rangeName } from '../interpretations/input-interpretations.ts';
import type { InputInterpretation } from '../interpretations/interpretation.ts';
import type { Change } from './hypothesis.ts';

/** A statement about a model's feeding, beside how it is fed now. */
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

/** Factor of an input's likelihood by the statement, 0..1; 1 = it is fed as is said, or nothing is said. */
export function toldWorth(input: InputInterpretation, told: ToldFeeding | null): number {
  // A guess speaks for nothing: the frames decide.
  if (!told || told.said.guess !== null) return 1;
  const { contradicted, followed } = worth[told.said.source];
  const now = departures(told.present, told.said);
  return departures(input, told.said).reduce((left, one) => left * (now.includes(one) ? contradicted : followed), 1);
}

/** Factor for a service that stretches frames where its model learned from pictures with a border, … */
const stretched = 0.3;
/** … while the border alone is as likely as a service that nothing is wrong with; … */
const expected = 1.1;
/** … and of a border around frames where it learned from stretched ones. */
const bordered = 0.4;
/** Frames of nearly the shape of the input lose next to nothing. */
const leastStretch = 1.2;

/**
 * Weighs by what is said of a letterbox a service as it is, and one that differs in the letterbox alone. Frames say little of
 * it: a stretched thing is found about as surely as one in its own shape, so the word of who trained the model decides.
 */
export function letterboxWorth(changes: readonly Change[], told: ToldFeeding | null, stretch: number): number {
  const letterbox = told?.said.letterbox;
  if (letterbox === undefined) return changes.includes('letterbox') ? unsaid : 1;
  if (letterbox === null) return changes.includes('letterbox') ? unsaid * bordered : 1;
  if (stretch < leastStretch) return changes.includes('letterbox') ? unsaid : 1;
  if (changes.length === 0) return stretched;
  return changes.join() === 'letterbox' ? expected : 1;
}

/** Frames that are stretched a little do little harm. */
const unsaid = 0.72;

/** How much further a frame is stretched along one side of an input than along the other, ≥ 1. */
export function stretchOf(frame: PictureSize, { inputWidthPx, inputHeightPx }: InferenceSizes): number {
  const ratio = frame.widthPx / frame.heightPx / (inputWidthPx / inputHeightPx);
  return Math.max(ratio, 1 / ratio);
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
