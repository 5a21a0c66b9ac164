import type { PictureSize } from '../../../machine/vision/face/traces.ts';
import { labelShift, type LabelShift } from '../interpretations/label-shift.ts';
import { countsFromOne } from '../../../machine/vision/face/results.ts';
import { matchOf, type DrawnBox } from './drawn-box.ts';
import { isSameRange } from '../interpretations/input-interpretations.ts';
import { evidenceOf, type Evidence, type Views } from './evidence.ts';
import { filterEvidence, type FilterEvidence } from './filter-evidence.ts';
import type { Hypothesis } from './hypothesis.ts';
import { onFrame } from './on-frame.ts';
import { distinctRows } from '../interpretations/distinct-rows.ts';
import { titleOf } from './hypothesis-title.ts';
import { usualWeight, weightOf, type Symptom } from './symptom.ts';
import { departures, letterboxWorth, stretchOf, toldWorth, type ToldFeeding } from './told-feeding.ts';

/** A frame as one feeding gave it to the model. */
export interface FedFrame {
  readonly frame: PictureSize;
  readonly views: Views;
  /** boxes of a person on this frame; [] = none were drawn */
  readonly drawn: readonly DrawnBox[];
}

/** Everything known beside the frames. */
export interface RankContext {
  readonly symptom: Symptom;
  /** names that the model file carries; null = none */
  readonly ownLabels: readonly string[] | null;
  /** statement about how the model is fed; null = there is none */
  readonly told: ToldFeeding | null;
}

/** A hypothesis with what the frames say of it. */
export interface RankedHypothesis {
  readonly hypothesis: Hypothesis;
  /** ≥ 0; how hypotheses compare on the same frames */
  readonly quality: number;
  /** evidence of the first frame */
  readonly evidence: Evidence;
  readonly filter: FilterEvidence | null;
  /** many boxes lie over few things */
  readonly isCrowded: boolean;
  /** doubt about the hypothesis's labels; null = there is none */
  readonly shift: LabelShift | null;
  /** how well it finds what a person drew, 0..1; null = nothing was drawn */
  readonly match: number | null;
  /** statement about the feeding; null = there is none */
  readonly told: ToldFeeding | null;
}

/** How much is left of an interpretation that shows itself wrong. */
const worth = { plausible: 1, unsure: 0.3, refused: 0.02 } as const;
const doubtfulLabels = 0.25;
const filterWorth = { fine: 1, hides: 0.3, floods: 0.5 } as const;
/** Factor for a feeding that drives scores to 1. */
const saturated = 0.3;
/** Factor for a model whose boxes lie over each other by the dozen, which nothing suppresses. */
const unsuppressed = 0.6;
/** A service that was thought right is wrong in something, seldom in two things, … */
const firstChange = 0.9;
const furtherChange = 0.6;
/** … few cameras hang upside down or lie on a side, … */
const turn = 0.9;
/** … and values that differ by channel are rarer. */
const unequalRange = 0.95;

/**
 * Judges one hypothesis on frames.
 * @param hypothesis what is supposed
 * @param fed the frames, fed to the model as the hypothesis says
 * @param context what the person says is wrong, labels inside the model, and what the file says of its feeding
 * @returns evidence and quality; null: the model's tensors do not fit the hypothesis on any frame
 * @example
 * judgeHypothesis({}, [], { symptom: null, ownLabels: null, told: null }); // => null
 */
export function judgeHypothesis(
  hypothesis: Hypothesis,
  fed: readonly FedFrame[],
  { symptom, ownLabels, told }: RankContext,
): RankedHypothesis | null {
  const judged = fed.flatMap((frame) => judgeOn(hypothesis, frame, ownLabels) ?? []);
  const [first] = judged;
  if (!first) return null;
  const { changes, feeding } = hypothesis;
  const sum = judged.reduce((total, { quality }) => total + quality, 0) / fed.length;
  const shift = judged.find((one) => one.shift)?.shift ?? null;
  const doubt = shift ? doubtfulLabels : 1;
  const [{ frame, views }] = fed as [FedFrame];
  const likelihood =
    likelihoodOf(hypothesis) *
    toldWorth(feeding.input, told) *
    letterboxWorth(changes, told, stretchOf(frame, views.run));
  return { ...first, shift, told, quality: sum * doubt * likelihood * weightOf(changes, symptom) };
}

/** How likely a hypothesis is before a frame was seen; 1 = the service as it is. */
function likelihoodOf({ changes, feeding }: Hypothesis): number {
  const { meanValue, stdDev } = feeding.input;
  const isEqual = [meanValue, stdDev].every(([a, b, c]) => a === b && b === c);
  if (changes.length === 0) return 1;
  return (
    firstChange *
    furtherChange ** (changes.length - 1) *
    (changes.includes('turn') ? turn : 1) *
    (changes.includes('range') && !isEqual ? unequalRange : 1)
  );
}

/** On one frame. */
type Judged = Omit<RankedHypothesis, 'told'>;

function judgeOn(
  hypothesis: Hypothesis,
  { frame, views, drawn }: FedFrame,
  ownLabels: readonly string[] | null,
): Judged | null {
  const { output, feeding, labels, suppresses } = hypothesis;
  const evidence = evidenceOf(output, views);
  if (!evidence) return null;
  const { rows, classes, verdict } = evidence;
  const seen = worth[verdict.kind] * seenOf(evidence);
  if (!rows) {
    const classCount = classes!.length;
    const shift = labels && labelShift({ labels, classCount, isOneBeyond: false, seen: [], own: ownLabels });
    const isOtherCount = labels !== null && labels.length !== classCount;
    return {
      hypothesis,
      quality: isOtherCount ? seen * doubtfulLabels : seen,
      evidence,
      filter: null,
      isCrowded: false,
      shift,
      match: null,
    };
  }
  const filter = filterEvidence(rows, labels, hypothesis.filter);
  const isCrowded = filter.kept.length >= 10 && filter.kept.length > 2 * distinctRows(rows, 0.2).length;
  const found = drawn.length > 0 ? matchOf(drawn, onFrame(rows, feeding, frame, views.run), labels) : null;
  // What a person drew outweighs what the model is sure of.
  const quality = found === null ? seen : (0.02 + found ** 2) * (0.2 + Math.min(1, seen));
  return {
    hypothesis,
    evidence,
    filter,
    isCrowded,
    match: found,
    shift: labels && shiftOf(labels, evidence, ownLabels),
    quality: quality * filterWorth[filter.kind] * (isCrowded && !suppresses ? unsuppressed : 1),
  };
}

/**
 * How much a model sees, and how steadily. The exponents weigh how sure it is against what other views confirm: they were
 * chosen on half of the models and photographs of bench/figures/solver.ts, where neighbouring values did as well.
 */
function seenOf(evidence: Evidence): number {
  const { strength, steadiness, things } = evidence;
  const seen = strength ** 0.75 * (0.1 + 0.9 * (steadiness ?? 0.5)) ** 0.75 * (things ?? strength) ** 0.25;
  return isSaturated(evidence) ? saturated * seen : seen;
}

/**
 * Whether a detector is sure of all that it finds, and finds much of it elsewhere in a mirrored or moved frame: values that are
 * a hundred times too large drive every score to 1, where it says nothing.
 */
function isSaturated({ strength, steadiness, things }: Evidence): boolean {
  return things !== null && steadiness !== null && strength > 0.8 && strength - steadiness > 0.35;
}

function shiftOf(labels: readonly string[], { rows }: Evidence, own: readonly string[] | null): LabelShift | null {
  const { category, score, classCount } = rows!;
  const isOneBeyond = countsFromOne(category, score, labels.length);
  const sure = [...category].filter((_, row) => score[row]! >= 0.4);
  const seen = [...new Set(sure.map((number) => labels[number] ?? ''))];
  return labelShift({ labels, classCount: classCount ?? own?.length ?? null, isOneBeyond, seen, own });
}

/** Most of the first's quality that the second may have: chosen on half of the models of bench/figures/solver.ts, held to by the other. */
const mostOfSecond = 0.7;
/** The share of it that frames alone may say of a further thing: a thing that is wrong as well makes them say more, not less. */
const asMuch = 0.9;
/** A model that sees next to nothing says nothing. */
const leastQuality = 0.1;

/**
 * Whether the best hypothesis is sure: none that says something else comes near, and the model is fed as its file or its family says, without
 * which frames alone have taken a wrong range for the right one. A threshold that hides most of what is seen may be wrong as well.
 * @param ranked best first
 * @param symptom what the person says is wrong
 * @returns false where the second best may as well be right
 * @example
 * const input = { bgr: false };
 * const told = { said: { guess: null, bgr: false, range: null } };
 * const of = (quality, changes) => ({ quality, told, hypothesis: { changes, feeding: { input } }, evidence: { rows: null } });
 * isDecided([of(0.5, ['labels']), of(0.2, [])], 'unsure'); // => true
 * isDecided([of(0.5, ['labels']), of(0.4, [])], 'unsure'); // => false
 */
export function isDecided(ranked: readonly RankedHypothesis[], symptom: Symptom): boolean {
  const [best] = ranked;
  if (!best || best.quality < leastQuality || !isFedAsSaid(best) || hidesMost(best)) return false;
  if (best.shift || isTurnOpen(best, ranked)) return false;
  const title = titleOf(best.hypothesis);
  const most = symptom === 'unsure' ? mostOfSecond : mostOfSecond / usualWeight;
  return ranked
    .filter(({ hypothesis }) => titleOf(hypothesis) !== title)
    .every(
      (other) => other.quality <= most * best.quality && !(addsTo(other, best) && bare(other) > asMuch * bare(best)),
    );
}

/** Whether the turn is still open: no frame was turned for a model that is fed otherwise, or turned in other colours. */
function isTurnOpen({ hypothesis }: RankedHypothesis, ranked: readonly RankedHypothesis[]): boolean {
  const { feeding, changes } = hypothesis;
  const isFedOtherwise = changes.some((change) => change === 'colours' || change === 'range');
  const isTried = (is: (other: Hypothesis['feeding']) => boolean) => ranked.some((one) => is(one.hypothesis.feeding));
  if (changes.includes('turn'))
    return !isTried(({ input, turnDegs }) => turnDegs === feeding.turnDegs && input.bgr !== feeding.input.bgr);
  return isFedOtherwise && !isTried(({ input, turnDegs }) => turnDegs === 180 && isSameInput(input, feeding.input));
}

function isSameInput(a: Hypothesis['feeding']['input'], b: Hypothesis['feeding']['input']): boolean {
  return a.bgr === b.bgr && a.fit === b.fit && isSameRange(a, b);
}

/** Whether a hypothesis supposes all that another does, and more. */
function addsTo({ hypothesis: { changes } }: RankedHypothesis, { hypothesis }: RankedHypothesis): boolean {
  return (
    hypothesis.changes.length > 0 &&
    changes.length > hypothesis.changes.length &&
    hypothesis.changes.every((change) => changes.includes(change))
  );
}

/** The quality that frames alone give: that two things are seldom wrong is no evidence that one of two is all. */
function bare({ quality, hypothesis }: RankedHypothesis): number {
  return quality / likelihoodOf(hypothesis);
}

function isFedAsSaid({ told, hypothesis: { feeding } }: RankedHypothesis): boolean {
  return told !== null && told.said.guess === null && departures(feeding.input, told.said).length === 0;
}

/** On this frame, or, as few scores are so high, on another. */
function hidesMost({ evidence: { rows }, filter, hypothesis }: RankedHypothesis): boolean {
  if (rows === null || filter === null) return false;
  const isHigh = hypothesis.filter.defaultMinimumConfidence > 0.9;
  return isHigh || filter.kept.length < distinctRows(rows, sure).length / 2;
}

/** A score at which most thresholds let a thing through. */
const sure = 0.5;

/**
 * Sorts hypotheses by quality. Equal ones keep their order, in which the present one comes first.
 * @param ranked in any order
 * @returns a new list, best first
 * @example
 * inOrder([{ quality: 0.2 }, { quality: 0.8 }]); // => [{ quality: 0.8 }, { quality: 0.2 }]
 */
export function inOrder(ranked: readonly RankedHypothesis[]): readonly RankedHypothesis[] {
  return ranked.toSorted((a, b) => b.quality - a.quality);
}
