import type { StatedFeeding } from '../../../machine/vision/face/inference.ts';
import type { RankedHypothesis } from './rank-hypotheses.ts';
import { departures, toldWords } from './told-feeding.ts';

/**
 * Explains a hypothesis: what is known of the model's feeding, and a sentence with what was seen.
 * @param ranked the hypothesis, with what frames showed of it
 * @param present the hypothesis that nothing is wrong; null: the service does not work now
 * @returns sentences for a person
 * @example
 * const ranked = { hypothesis: { changes: ['labels'], feeding: {} }, told: null, match: null, filter: null };
 * whyOf(ranked, { shift: { words: 'The model has 3 classes, the list 2 lines.' } }); // => 'The model has 3 classes, the list 2 lines.'
 */
export function whyOf(ranked: RankedHypothesis, present: RankedHypothesis | null): string {
  return [whySaid(ranked), whySeen(ranked, present)].filter((sentence) => sentence !== '').join(' ');
}

/** The words about what is said of the feeding, where that speaks for a hypothesis or against it; '' where it does neither. */
function whySaid({ told, hypothesis: { feeding, changes } }: RankedHypothesis): string {
  if (!told) return '';
  const { said, present } = told;
  if (changes.join() === 'letterbox' && said.letterbox) return `${learnedWords(said)} with a border around them.`;
  if (changes.join() === 'letterbox' && said.letterbox === null)
    return `${learnedWords(said)} stretched, which speaks against it.`;
  const [now, then] = [departures(present, said), departures(feeding.input, said)];
  if (changes.length === 0) return now.length > 0 ? `${toldWords(said)}, and the configuration says otherwise.` : '';
  if (then.length < now.length) return `${toldWords(said)}.`;
  return then.some((one) => !now.includes(one)) ? `${toldWords(said)}, which speaks against it.` : '';
}

function learnedWords({ source, familyName }: StatedFeeding): string {
  return source === 'family'
    ? `Models of the kind ${familyName} usually learned from pictures`
    : 'The model file says that it learned from pictures';
}

function whySeen(ranked: RankedHypothesis, present: RankedHypothesis | null): string {
  const { hypothesis, match, filter } = ranked;
  const { changes } = hypothesis;
  if (changes.length === 0) return whyPresent(ranked);
  if (match !== null && !changes.includes('threshold'))
    return `It finds what you drew by ${percent(match)}${present?.match ? `, as it is now by ${percent(present.match)}` : ''}.`;
  if (changes.includes('labels') && present?.shift) return present.shift.words;
  if (changes.includes('threshold') && present?.filter) return whyThreshold(present);
  if (changes.includes('suppression'))
    return `${filter?.kept.length ?? 0} boxes lie over each other, and the machine takes none away.`;
  return whyInterpretation(ranked, present);
}

function whyPresent({ evidence, shift, filter }: RankedHypothesis): string {
  const seen = evidence.verdict.seen[0] ?? shift?.words;
  if (seen) return seen;
  if (filter && filter.kind !== 'fine') return `The filter keeps ${filter.kept.length} boxes.`;
  return `${steadyWords(evidence.steadiness)}, and the best score is ${bestScore(evidence)}.`;
}

function whyThreshold({ filter, evidence }: RankedHypothesis): string {
  if (filter!.kind === 'hides')
    return `The model is sure up to ${bestScore(evidence)}, and the filter shows none of it.`;
  return `The filter keeps ${filter!.kept.length} boxes, most of them hardly sure.`;
}

function whyInterpretation({ evidence }: RankedHypothesis, present: RankedHypothesis | null): string {
  const before = present?.evidence;
  const refused = before?.verdict.kind === 'refused' ? before.verdict.seen[0] : undefined;
  if (refused) return `Otherwise: ${refused.charAt(0).toLowerCase()}${refused.slice(1)}`;
  if (!before) return `${steadyWords(evidence.steadiness)}.`;
  const gain = evidence.strength / Math.max(1e-6, before.strength);
  const steadier = (evidence.steadiness ?? 0) / Math.max(1e-6, before.steadiness ?? 0);
  if (gain > steadier) return `The model is surer: its best score is ${bestScore(evidence)}, now ${bestScore(before)}.`;
  return `${steadyWords(evidence.steadiness)}; as it is now, ${percent(before.steadiness ?? 0)}.`;
}

function steadyWords(steadiness: number | null): string {
  return steadiness === null
    ? 'Nothing could be compared'
    : `What it sees stays in place by ${percent(steadiness)} when the frame is mirrored and moved`;
}

function bestScore({ rows, classes }: RankedHypothesis['evidence']): string {
  const scores = rows ? rows.score : classes!;
  return scores.reduce((most, score) => Math.max(most, score), 0).toFixed(2);
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
