import { rangeName } from '../interpretations/input-interpretations.ts';
import type { InputInterpretation } from '../interpretations/interpretation.ts';
import type { TrainedLetterbox } from '../../../machine/vision/face/inference.ts';
import { alikeMeans, isAlikeRange } from './feedings-to-try.ts';
import type { TriedFeedings } from './try-feedings.ts';

/** A way of feeding, with what all labelled pictures say of it. */
export interface RankedFeeding {
  readonly input: InputInterpretation;
  /** how sure the model was of the answers, 0..1: the mean over pictures and their views */
  readonly sureness: number;
  /** whether it may as well be right as the first, which is itself */
  readonly isNear: boolean;
}

export interface FeedingRanking {
  /** the likeliest first */
  readonly ranked: readonly RankedFeeding[];
  /** decided: the first, and surely so; open: others are near; unseen: with none was the model sure enough of the answers */
  readonly verdict: 'decided' | 'open' | 'unseen';
}

/** Added to every sureness before its logarithm is taken, so that one missed answer, however small its number, does not outweigh all others. */
const missed = 0.05;
/**
 * By how much, in natural logarithms, the first must lead on one picture; chance leads grow with the square root of their number. Of 0.6, 0.7 … 1
 * it is the least with which nothing was decided wrongly by one to three pictures on the first half of the models of
 * bench/figures/known-answer.ts, EfficientNet-Lite0 and MobileNet v1 0.25. On the other half nothing was decided wrongly with any of them.
 */
const lead = 1;
/** How sure the model must be of the answers, fed in the first way. */
const sure = 0.5;

/**
 * Ranks ways of feeding by labelled pictures: the logarithms of how sure the model was of the answers are summed over the pictures.
 * @param inputs the ways of feeding
 * @param pictures what came of each picture, in the order of `inputs`
 * @returns the likeliest first, and whether it is decided
 * @example
 * const way = (bgr) => ({ bgr, meanValue: [0, 0, 0], stdDev: [1, 1, 1], fit: 'stretch' });
 * const { ranked, verdict } = rankFeedings([way(false), way(true)], [[[0.1], [0.9]]]);
 * ranked[0].input.bgr; // => true
 * verdict; // => 'decided'
 * rankFeedings([way(false), way(true)], [[[0.7], [0.9]]]).verdict; // => 'open'
 */
export function rankFeedings(
  inputs: readonly InputInterpretation[],
  pictures: readonly TriedFeedings[],
): FeedingRanking {
  const weighed = inputs.map((input, at) => {
    const seen = pictures.map((tried) => tried[at]!);
    return { input, evidence: sum(seen.map(evidenceOf)), sureness: mean(seen.map(mean)) };
  });
  const inOrder = weighed.toSorted((a, b) => b.evidence - a.evidence);
  const [best] = inOrder;
  const least = (best?.evidence ?? 0) - lead * Math.sqrt(pictures.length);
  const ranked = inOrder.map(({ input, evidence, sureness }) => ({ input, sureness, isNear: evidence > least }));
  const near = ranked.filter(({ isNear }) => isNear).length;
  if (!best || best.sureness < sure) return { ranked, verdict: 'unseen' };
  return { ranked, verdict: near > 1 ? 'open' : 'decided' };
}

/** The evidence of one picture, over its views. */
function evidenceOf(views: readonly number[]): number {
  return mean(views.map((sureness) => Math.log(missed + (1 - missed) * sureness)));
}

/**
 * Says a way of feeding in words.
 * @param input how a frame becomes the model's numbers
 * @returns such as "RGB, values from 0 to 1"
 * @example
 * feedingWords({ bgr: true, meanValue: [0, 0, 0], stdDev: [1, 1, 1], fit: 'stretch' }); // => 'BGR, values from 0 to 1'
 */
export function feedingWords({ bgr, meanValue, stdDev }: InputInterpretation): string {
  const listed = (values: readonly number[]) => values.map((value) => value.toFixed(3)).join(', ');
  const range =
    rangeName({ meanValue, stdDev }, alikeMeans) ||
    `mean ${listed(meanValue)} and deviation ${listed(stdDev)} of values 0 to 1`;
  return `${bgr ? 'BGR' : 'RGB'}, ${range}`;
}

/**
 * Says what pictures leave open between the ways of feeding that are near each other.
 * @param ranking of at least one picture
 * @returns 'colours' or 'values' where the other is the same with all that are near; 'both'; null: nothing is open
 * @example
 * const way = (bgr) => ({ bgr, meanValue: [0, 0, 0], stdDev: [1, 1, 1], fit: 'stretch' });
 * openBetween(rankFeedings([way(false), way(true)], [[[0.7], [0.9]]])); // => 'colours'
 */
export function openBetween({ ranked }: FeedingRanking): 'colours' | 'values' | 'both' | null {
  const [first, ...others] = ranked.filter(({ isNear }) => isNear).map(({ input }) => input);
  if (!first || others.length === 0) return null;
  const isSameColour = others.every(({ bgr }) => bgr === first.bgr);
  if (isSameColour) return 'values';
  return others.every((other) => isAlikeRange(inRgb(first), inRgb(other))) ? 'colours' : 'both';
}

/** Red first, whatever is fed first. */
function inRgb({ bgr, meanValue, stdDev }: InputInterpretation): Pick<InputInterpretation, 'meanValue' | 'stdDev'> {
  return bgr ? { meanValue: meanValue.toReversed(), stdDev: stdDev.toReversed() } : { meanValue, stdDev };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / Math.max(1, values.length);
}

/** A way of feeding to fit a model with, and why. */
export interface ChosenFeeding {
  readonly preprocessing: {
    readonly colour: 'rgb' | 'bgr';
    readonly mean: readonly [number, number, number];
    readonly stdDev: readonly [number, number, number];
    /** absent: as its family is */
    readonly letterbox?: TrainedLetterbox | null;
  };
  /** a sentence */
  readonly why: string;
  /** whether no other usual way came near; where one did, it is still a guess */
  readonly isSure: boolean;
}

/**
 * Says a ranked way of feeding as a fit takes it.
 * @param ranking of labelled pictures
 * @param chosen one of its ways
 * @param pictures how many there were
 * @returns the feeding, sure only where it is the first and decided
 * @example
 * const way = (bgr) => ({ bgr, meanValue: [0, 0, 0], stdDev: [1, 1, 1], fit: 'stretch' });
 * const ranking = rankFeedings([way(false), way(true)], [[[0.1], [0.9]]]);
 * chosenFeeding(ranking, ranking.ranked[0], 1).why; // => 'It is fed BGR, values from 0 to 1: no other usual way comes near on 1 labelled picture.'
 * chosenFeeding(ranking, ranking.ranked[1], 1).isSure; // => false
 */
export function chosenFeeding(
  { ranked, verdict }: FeedingRanking,
  { input }: RankedFeeding,
  pictures: number,
): ChosenFeeding {
  const three = ([a, b, c]: readonly number[]) => [a!, b!, c!] as const;
  const isSure = verdict === 'decided' && input === ranked[0]?.input;
  const count = `${pictures} labelled picture${pictures === 1 ? '' : 's'}`;
  const words = feedingWords(input);
  return {
    preprocessing: { colour: input.bgr ? 'bgr' : 'rgb', mean: three(input.meanValue), stdDev: three(input.stdDev) },
    why: isSure
      ? `It is fed ${words}: no other usual way comes near on ${count}.`
      : `${words} was chosen, and ${count} ${pictures === 1 ? 'does' : 'do'} not decide it.`,
    isSure,
  };
}

/**
 * Says how a model of `feedingTrial` would be fed without labelled pictures.
 * @param trial its feeding, and whether frames keep their proportions
 * @returns the same as an interpretation
 * @example
 * const preprocessing = { colour: 'bgr', mean: [0, 0, 0], stdDev: [1, 1, 1] };
 * presentFeeding({ preprocessing, isPadded: false }); // => { bgr: true, meanValue: [0, 0, 0], stdDev: [1, 1, 1], fit: 'stretch' }
 */
export function presentFeeding({
  preprocessing: { colour, mean, stdDev },
  isPadded,
}: {
  readonly preprocessing: ChosenFeeding['preprocessing'];
  readonly isPadded: boolean;
}): InputInterpretation {
  return { bgr: colour === 'bgr', meanValue: mean, stdDev, fit: isPadded ? 'letterbox' : 'stretch' };
}
