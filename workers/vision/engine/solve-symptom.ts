import { cureOf } from '../../../src/models/fit/solver/cure.ts';
import { keptRows } from '../../../src/models/fit/solver/filter-evidence.ts';
import { onFrame } from '../../../src/models/fit/solver/on-frame.ts';
import { isDecided, type RankedHypothesis } from '../../../src/models/fit/solver/rank-hypotheses.ts';
import { titleOf } from '../../../src/models/fit/solver/hypothesis-title.ts';
import { whyOf } from '../../../src/models/fit/solver/words.ts';
import { distinctRows } from '../../../src/models/fit/interpretations/distinct-rows.ts';
import type { FoundCause, ReadBox } from '../protocol.ts';
import { rankCauses, type SymptomSearch } from './rank-causes.ts';

const mostShown = 4;
const mostBoxes = 60;

/**
 * The likeliest causes of a symptom, best first, at most four, including the service as it is.
 * @throws as rankCauses
 */
export async function solveSymptom(search: SymptomSearch): Promise<readonly FoundCause[]> {
  const ranked = await rankCauses(search);
  const present = ranked.find(({ hypothesis }) => hypothesis.changes.length === 0) ?? null;
  const shown = worthSeeing(ranked, present);
  const isSure = isDecided(ranked, search.symptom);
  return shown.map((one, at) => ({ ...foundCause(one, present, search), isSure: isSure && at === 0 }));
}

/** The best cause of each kind, and the service as it is. */
function worthSeeing(ranked: readonly RankedHypothesis[], present: RankedHypothesis | null): RankedHypothesis[] {
  const shown: RankedHypothesis[] = [];
  for (const one of ranked) {
    const kind = titleOf(one.hypothesis);
    if (shown.some(({ hypothesis }) => titleOf(hypothesis) === kind)) continue;
    if (shown.length < mostShown) shown.push(one);
  }
  if (present && !shown.includes(present)) shown.splice(mostShown - 1, 1, present);
  return shown;
}

function foundCause(
  ranked: RankedHypothesis,
  present: RankedHypothesis | null,
  search: SymptomSearch,
): Omit<FoundCause, 'isSure'> {
  const { hypothesis, quality, evidence } = ranked;
  const { service } = search;
  return {
    title: titleOf(hypothesis),
    why: whyOf(ranked, present),
    changes: hypothesis.changes,
    quality,
    isPresent: hypothesis.changes.length === 0,
    boxes: boxesOf(ranked, search),
    classes: classesOf(ranked),
    cure: cureOf(hypothesis, service.config, evidence.run.outputs),
  };
}

/** The boxes that the service would show. */
function boxesOf({ hypothesis, evidence }: RankedHypothesis, { frames }: SymptomSearch): ReadBox[] {
  const { labels, filter, feeding, suppresses } = hypothesis;
  if (!evidence.rows) return [];
  const rows = onFrame(evidence.rows, feeding, frames[0]!.frame, evidence.run);
  const kept = new Set(keptRows(rows, labels, filter));
  const shown = suppresses
    ? distinctRows(rows, 0.05).filter((row) => kept.has(row))
    : [...kept].filter((row) => rows.score[row]! >= 0.05).toSorted((a, b) => rows.score[b]! - rows.score[a]!);
  return shown
    .slice(0, mostBoxes)
    .map((row) => ({
      box: [0, 1, 2, 3].map((at) => rows.box[4 * row + at]!) as unknown as ReadBox['box'],
      score: rows.score[row]!,
      label: labels?.[rows.category[row]!] ?? String(rows.category[row]),
    }));
}

function classesOf({ hypothesis: { labels }, evidence: { classes } }: RankedHypothesis) {
  if (!classes) return [];
  const order = [...classes.keys()].toSorted((a, b) => classes[b]! - classes[a]!);
  return order.slice(0, 3).map((number) => ({ label: labels?.[number] ?? String(number), score: classes[number]! }));
}
