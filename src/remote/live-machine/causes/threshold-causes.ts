import { ruleInForce, serviceThresholds } from '../../../machine/vision/face/filters.ts';
import type { PairedRow } from './paired-rows.ts';
import type { ServiceCause } from './service-cause.ts';
import type { TriedService } from './try-services.ts';

/** What a label's rows say of its threshold: it lies above `dropped`, and not above `kept`. */
interface Bounds {
  /** highest score that the machine dropped; -Infinity: none */
  readonly dropped: number;
  /** lowest score that it kept; Infinity: none */
  readonly kept: number;
}

/** Services with thresholds that keep and drop what the machine keeps and drops, the simplest first; []: no threshold does. */
export function thresholdCauses(present: TriedService, pairs: readonly PairedRow[]): readonly ServiceCause[] {
  const { config } = present;
  const causes: ServiceCause[] = [];
  const add = (filter: Partial<typeof config>, words: string): void =>
    void causes.push({ reason: 'thresholds-differ', service: { ...present, config: { ...config, ...filter } }, words });
  const all = boundsOf(pairs);
  const rule = ruleInForce(config);
  if (isPossible(all)) {
    const threshold = roundBetween(all);
    const now = config.defaultMinimumConfidence;
    const list = rule === 'label_confidences' ? ' and no label_confidences' : '';
    if (list !== '' && fits(all, now)) {
      add({ labelConfidences: {} }, 'The machine has no label_confidences: without them both say the same.');
    } else if (all.kept === Infinity) {
      add(
        { defaultMinimumConfidence: threshold, labelConfidences: {} },
        `The machine drops all rows of these frames, up to ${scoreText(all.dropped)}: its threshold is above that, or its label_confidences name none of its labels, as where its label file is missing.`,
      );
    } else {
      add(
        { defaultMinimumConfidence: threshold, labelConfidences: {} },
        `The threshold there is another one: with default_minimum_confidence ${threshold}${list} both say the same (${rangeText(all)}); here it is ${list === '' ? now : 'label_confidences'}.`,
      );
    }
  }
  const labels = [...new Set(pairs.map(({ row }) => row.label))];
  const byLabel = labels.map((label) => ({ label, bounds: boundsOf(pairs.filter(({ row }) => row.label === label)) }));
  if (byLabel.every(({ bounds }) => isPossible(bounds))) {
    const now = serviceThresholds(labels, config);
    const other = byLabel.filter(({ bounds }, at) => !fits(bounds, now[at]!));
    const list: Record<string, number> = rule === 'label_confidences' ? { ...config.labelConfidences } : {};
    const told = rule === 'label_confidences' ? other : byLabel;
    for (const { label, bounds } of told) {
      const written = Object.keys(list).find((key) => key.toLowerCase() === label.toLowerCase());
      if (written !== undefined) delete list[written];
      if (bounds.kept < Infinity) list[written ?? label] = roundBetween(bounds);
    }
    if (Object.keys(list).length > 0)
      add(
        { labelConfidences: list },
        listWords(other, (label) => now[labels.indexOf(label)]!),
      );
  }
  return causes;
}

function boundsOf(pairs: readonly PairedRow[]): Bounds {
  let [dropped, kept] = [-Infinity, Infinity];
  for (const { row, there } of pairs) {
    if (there) kept = Math.min(kept, row.score);
    else dropped = Math.max(dropped, row.score);
  }
  return { dropped, kept };
}

const isPossible = ({ dropped, kept }: Bounds): boolean => dropped < kept;
/** A default of 0 is none. */
const fits = ({ dropped, kept }: Bounds, threshold: number): boolean =>
  (dropped === -Infinity || dropped < threshold) && (threshold === 0 || threshold <= kept);

/** The number of fewest digits that lies above what was dropped, and not above what was kept. */
function roundBetween({ dropped, kept }: Bounds): number {
  if (dropped === -Infinity) return 0;
  if (kept === Infinity) return Math.floor(dropped * 10 + 1) / 10;
  for (let unit = 10; unit <= 1e9; unit *= 10) {
    const rounded = Math.floor(kept * unit) / unit;
    if (rounded > dropped) return rounded;
  }
  return kept;
}

const scoreText = (score: number): string => String(Number(score.toFixed(4)));

function rangeText({ dropped, kept }: Bounds): string {
  if (dropped === -Infinity) return `it keeps all, down to ${scoreText(kept)}`;
  if (kept === Infinity) return `it drops all, up to ${scoreText(dropped)}`;
  return `any above ${scoreText(dropped)} and up to ${scoreText(kept)} would`;
}

function listWords(
  other: readonly { readonly label: string; readonly bounds: Bounds }[],
  now: (label: string) => number,
): string {
  const told = other.map(({ label, bounds }) => {
    const here = now(label);
    const hereText =
      here === Infinity ? 'dropped here' : here === -Infinity ? 'kept at any score here' : `${here} here`;
    const there =
      bounds.kept === Infinity
        ? `dropped there up to ${scoreText(bounds.dropped)}`
        : bounds.dropped === -Infinity
          ? `kept there down to ${scoreText(bounds.kept)}`
          : `above ${scoreText(bounds.dropped)} and up to ${scoreText(bounds.kept)} there`;
    return `“${label}” is ${hereText} and ${there}`;
  });
  return `label_confidences there are others: ${told.join('; ')}.`;
}
