import type { LabelSweep } from '../sweep/label-sweep.ts';

/** Truth of labels that the model does not report, so that none of it can be found. */
export interface UnknownTruth {
  readonly boxes: number;
  /** boxes of the truth in all */
  readonly of: number;
  readonly labels: readonly string[];
}

/**
 * How much of the truth has labels that the model does not report.
 *
 * @param sweeps of all labels
 * @param labels by label number
 * @param known labels of the model, compared without case; null: those that it reported count as known
 * @returns null: it knows all of them
 * @example
 * const sweeps = [{ label: 0, truthCount: 3, score: [0.9] }, { label: 1, truthCount: 1, score: [] }];
 * unknownTruth(sweeps, ['cup', 'fork'], null); // => { boxes: 1, of: 4, labels: ['fork'] }
 */
export function unknownTruth(
  sweeps: readonly (Pick<LabelSweep, 'label' | 'truthCount'> & { readonly score: ArrayLike<number> })[],
  labels: readonly string[],
  known: readonly string[] | null,
): UnknownTruth | null {
  const ofModel = known && new Set(known.map((label) => label.toLowerCase()));
  const isKnown = ({ label, score }: (typeof sweeps)[number]): boolean =>
    ofModel ? ofModel.has(labels[label]!.toLowerCase()) : score.length > 0;
  const unknown = sweeps.filter((sweep) => sweep.truthCount > 0 && !isKnown(sweep));
  if (unknown.length === 0) return null;
  const countOf = (all: typeof sweeps): number => all.reduce((sum, { truthCount }) => sum + truthCount, 0);
  return { boxes: countOf(unknown), of: countOf(sweeps), labels: unknown.map(({ label }) => labels[label]!) };
}

const mostNames = 5;

/**
 * @param unknown of `unknownTruth`
 * @returns how much truth it is, and what it does to the figures
 * @example
 * unknownTruthText({ boxes: 1, of: 4, labels: ['fork'] }); // => '1 of 4 truth boxes (25 %) have labels that the model does not report: fork. None of them can be found, and each such label counts as 0 in the mean AP.'
 */
export function unknownTruthText({ boxes, of, labels }: UnknownTruth): string {
  const rest = labels.length - mostNames;
  const named = rest > 1 ? `${labels.slice(0, mostNames).join(', ')} and ${rest} more` : labels.join(', ');
  return `${boxes} of ${of} truth boxes (${Math.round((100 * boxes) / of)} %) have labels that the model does not report: ${named}. None of them can be found, and each such label counts as 0 in the mean AP.`;
}

const mostOthers = 3;

/**
 * @param labels that the model reports and the truth has no box of, at least one
 * @returns which they are, and what may be the cause
 * @example
 * labelsOfModelAloneText(['tv monitor']); // => 'The model names labels that the truth lacks ("tv monitor"): are they spelt alike on both sides?'
 */
export function labelsOfModelAloneText(labels: readonly string[]): string {
  const named = labels.slice(0, mostOthers).map((label) => `"${label}"`);
  const more = labels.length > mostOthers ? ` and ${labels.length - mostOthers} more` : '';
  return `The model names labels that the truth lacks (${named.join(', ')}${more}): are they spelt alike on both sides?`;
}
