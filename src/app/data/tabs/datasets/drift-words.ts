import type { DriftReport, FeatureShift } from '../../../../drift/compare-frames.ts';
import type { ComparedFeature } from '../../../../drift/feature-values.ts';
import { counted, numberText, shareText } from '../../../kit/words/figures.ts';

export const featureNames: Readonly<Record<ComparedFeature, string>> = {
  brightness: 'Brightness',
  contrast: 'Contrast',
  sharpness: 'Sharpness',
  boxes: 'Boxes per image',
  area: 'Box area',
  score: 'Scores',
  labels: 'Label mix',
};

/** A value of a feature, as a person reads it. */
export function valueText(feature: ComparedFeature, value: number): string {
  if (feature === 'brightness' || feature === 'contrast') return shareText(value);
  if (feature === 'area') return `${numberText(Number((100 * value).toPrecision(2)))} % of the image`;
  return numberText(Number(value.toPrecision(3)));
}

/** "Median 45 % instead of 62 %"; of labels the one whose share changed most. */
export function changeText({ feature, reference, later }: FeatureShift): string {
  if (reference.kind === 'numbers' && later.kind === 'numbers')
    return `Median ${valueText(feature, later.median)} instead of ${valueText(feature, reference.median)}`;
  const [first] = labelChanges({ reference, later });
  return first
    ? `${first.label} on ${shareText(first.later)} of the images instead of ${shareText(first.reference)}`
    : '';
}

/** The shares of each label on both sides, the most changed first. */
export function labelChanges({ reference, later }: Pick<FeatureShift, 'reference' | 'later'>) {
  if (reference.kind !== 'labels' || later.kind !== 'labels') return [];
  return reference.shares
    .map(({ label, share }, at) => ({ label, reference: share, later: later.shares[at]!.share }))
    .sort((a, b) => Math.abs(b.later - b.reference) - Math.abs(a.later - a.reference));
}

/** What was found, in a sentence. */
export function verdictText({ shifts, level, referenceCount, laterCount, canTell }: DriftReport): string {
  const found = shifts.filter(({ isShift }) => isShift).length;
  const of = `${counted(laterCount, 'image')} against ${numberText(referenceCount)} of the reference`;
  if (found === 0) return `${canTell ? 'No shift was found' : 'It cannot be told whether a feature shifted'}: ${of}.`;
  const bound = `of shifts that are found so, at most ${shareText(level)} are chance on average`;
  return `${found} of ${counted(shifts.length, 'feature')} shifted: ${of}; ${bound}.`;
}

/** What keeps a comparison from being sure; '': nothing. */
export function doubtText({ canTell, referenceUnits, laterUnits, referenceCount, laterCount }: DriftReport): string {
  const isGrouped = referenceUnits < referenceCount || laterUnits < laterCount;
  const units = `${numberText(laterUnits)} against ${numberText(referenceUnits)}`;
  const grouped = isGrouped ? `Frames of one sequence, and of one camera and minute, count as one: ${units}. ` : '';
  if (canTell) return grouped.trim();
  return `${grouped}So few (${units}) cannot tell a shift from chance: add images, of other sequences or times.`;
}

/** How sure a shift is: the adjusted p-value. */
export const chanceText = (adjustedP: number): string => (adjustedP < 0.001 ? 'below 0.001' : adjustedP.toFixed(3));
