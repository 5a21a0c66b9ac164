import type { DriftReport, FeatureShift } from './compare-frames.ts';
import type { ComparedFeature } from './feature-values.ts';

const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 4 });
const numberText = (value: number): string => grouped.format(value);
const counted = (count: number, noun: string): string => `${numberText(count)} ${noun}${count === 1 ? '' : 's'}`;

/** A small share is not said to be none. */
function shareText(share: number): string {
  const percent = Math.round(100 * share);
  return share > 0 && percent === 0 ? '< 1 %' : `${percent} %`;
}

/** What a person calls the features. */
export const featureNames: Readonly<Record<ComparedFeature, string>> = {
  brightness: 'Brightness',
  contrast: 'Contrast',
  sharpness: 'Sharpness',
  boxes: 'Boxes per image',
  area: 'Box area',
  score: 'Scores',
  labels: 'Label mix',
};

/**
 * Writes a value of a feature as a person reads it.
 *
 * @param feature what was measured
 * @param value as it was measured
 * @returns the number with its unit
 * @example
 * [valueText('brightness', 0.214), valueText('area', 0.0312), valueText('boxes', 3)]; // => ['21 %', '3.1 % of the image', '3']
 */
export function valueText(feature: ComparedFeature, value: number): string {
  if (feature === 'brightness' || feature === 'contrast') return shareText(value);
  if (feature === 'area') return `${numberText(Number((100 * value).toPrecision(2)))} % of the image`;
  return numberText(Number(value.toPrecision(3)));
}

/**
 * Says how a feature changed.
 *
 * @param shift of `compareFrames`
 * @returns both medians; of labels the one whose share changed most
 * @example
 * const numbers = (median) => ({ kind: 'numbers', median, quantiles: [] });
 * changeText({ feature: 'brightness', reference: numbers(0.62), later: numbers(0.45) }); // => 'Median 45 % instead of 62 %'
 */
export function changeText({
  feature,
  reference,
  later,
}: Pick<FeatureShift, 'feature' | 'reference' | 'later'>): string {
  if (reference.kind === 'numbers' && later.kind === 'numbers')
    return `Median ${valueText(feature, later.median)} instead of ${valueText(feature, reference.median)}`;
  const [first] = labelChanges({ reference, later });
  return first
    ? `${first.label} on ${shareText(first.later)} of the images instead of ${shareText(first.reference)}`
    : '';
}

/**
 * Names a shift in a part of a sentence.
 *
 * @param shift of `compareFrames`
 * @returns the feature, and how it changed
 * @example
 * const numbers = (median) => ({ kind: 'numbers', median, quantiles: [] });
 * shiftText({ feature: 'boxes', reference: numbers(2), later: numbers(5) }); // => 'boxes per image (median 5 instead of 2)'
 */
export const shiftText = (shift: Parameters<typeof changeText>[0]): string =>
  `${featureNames[shift.feature].toLowerCase()} (${changeText(shift).replace(/^Median/, 'median')})`;

/**
 * Takes from a comparison what concerns certificates.
 *
 * @param report of `compareFrames`
 * @returns what was tested, at which level, and what shifted: as features, and in a part of a sentence each
 * @example
 * driftFacts({ laterCount: 20, canTell: true, level: 0.05, untested: ['score'], shifts: [] }).shifted; // => []
 */
export function driftFacts({
  laterCount,
  canTell,
  level,
  untested,
  shifts,
}: Pick<DriftReport, 'laterCount' | 'canTell' | 'level' | 'untested' | 'shifts'>) {
  const found = shifts.filter(({ isShift }) => isShift);
  const shiftedFeatures = found.map(({ feature }) => feature);
  return { laterCount, canTell, level, untested, shifted: found.map(shiftText), shiftedFeatures };
}

/**
 * Compares the shares of each label on both sides.
 *
 * @param shift of labels
 * @returns the most changed first; none: the feature is measured
 * @example
 * const labels = (share) => ({ kind: 'labels', shares: [{ label: 'cup', share }] });
 * labelChanges({ reference: labels(1), later: labels(0.5) }); // => [{ label: 'cup', reference: 1, later: 0.5 }]
 */
export function labelChanges({ reference, later }: Pick<FeatureShift, 'reference' | 'later'>) {
  if (reference.kind !== 'labels' || later.kind !== 'labels') return [];
  return reference.shares
    .map(({ label, share }, at) => ({ label, reference: share, later: later.shares[at]!.share }))
    .sort((a, b) => Math.abs(b.later - b.reference) - Math.abs(a.later - a.reference));
}

/**
 * Says in a sentence what was found.
 *
 * @param report of `compareFrames`
 * @returns how many features shifted, on how many images, and how often one would where nothing changed; where none
 * shifted, what would have been found
 * @example
 * const quiet = { shifts: [], level: 0.05, referenceCount: 30, laterCount: 20, canTell: true, leastDarkening: 0.07 };
 * verdictText(quiet); // => 'No shift was found: 20 images against 30 of the reference. Were the later images darker by 7 % of full brightness, that would have been found.'
 */
export function verdictText({
  shifts,
  level,
  referenceCount,
  laterCount,
  canTell,
  leastDarkening,
}: Pick<DriftReport, 'shifts' | 'level' | 'referenceCount' | 'laterCount' | 'canTell' | 'leastDarkening'>): string {
  const found = shifts.filter(({ isShift }) => isShift).length;
  const of = `${counted(laterCount, 'image')} against ${numberText(referenceCount)} of the reference`;
  if (!canTell && found === 0) return `It cannot be told whether a feature shifted: ${of}.`;
  if (found === 0) {
    const power = `Were the later images darker by ${shareText(leastDarkening ?? 0)} of full brightness, that would have been found.`;
    return `No shift was found: ${of}.${leastDarkening === null ? '' : ` ${power}`}`;
  }
  const bound = `where nothing changed, a comparison finds a shift in at most ${shareText(level)} of cases`;
  return `${found} of ${counted(shifts.length, 'feature')} shifted: ${of}; ${bound}.`;
}

/** Why a feature was not compared. */
export const untestedText = (untested: readonly ComparedFeature[]): string =>
  `Not compared, as one side lacks it, too few images have boxes, or the boxes of both sides are not of one kind: ${untested.map((of) => featureNames[of]).join(', ')}.`;

/**
 * Says what keeps a comparison from being sure.
 *
 * @param report of `compareFrames`
 * @returns ''; where frames depend on each other, or are too few, how many units there are
 * @example
 * doubtText({ canTell: true, referenceUnits: 9, laterUnits: 9, referenceCount: 9, laterCount: 9 }); // => ''
 */
export function doubtText({
  canTell,
  referenceUnits,
  laterUnits,
  referenceCount,
  laterCount,
}: Pick<DriftReport, 'canTell' | 'referenceUnits' | 'laterUnits' | 'referenceCount' | 'laterCount'>): string {
  const isGrouped = referenceUnits < referenceCount || laterUnits < laterCount;
  const units = `${numberText(laterUnits)} against ${numberText(referenceUnits)}`;
  const grouped = isGrouped ? `Frames of one sequence, and of one camera and minute, count as one: ${units}. ` : '';
  if (canTell) return grouped.trim();
  return `${grouped}So few (${units}) cannot tell a shift from chance: add images, of other sequences or times.`;
}

/** Why no shift can be told from chance where it is not known which frames depend on each other. */
export const openText =
  'On one side, frames have no recorded sequence, or camera and time, and look alike or were not looked at, so it is unknown which frames depend on each other. Neighbouring frames show the same scene, and differ from other frames although nothing changed: a shift cannot be told from chance.';

/**
 * Writes how sure a shift is.
 *
 * @param adjustedP of a shift
 * @returns the adjusted p-value, to three decimals
 * @example
 * [chanceText(0.00001), chanceText(0.0316)]; // => ['below 0.001', '0.032']
 */
export const chanceText = (adjustedP: number): string => (adjustedP < 0.001 ? 'below 0.001' : adjustedP.toFixed(3));
