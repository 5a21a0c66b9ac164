import { relative } from 'node:path';
import type { Fate, Measured } from './measure-folder.ts';
import type { Mutant } from './mutants-of.ts';

/** What no test noticed, a line each, and then the folder's figure. */
export function reportLines({ folder, all, fates }: Measured): string[] {
  const tried = [...fates];
  const count = (fate: Fate): number => tried.filter(([, found]) => found === fate).length;
  const lines = tried.flatMap(([mutant, fate]) =>
    fate === 'survived' || fate === 'no coverage' ? [lineOf(mutant, fate)] : [],
  );
  const killed = count('killed') + count('timeout');
  const [low, high] = interval(killed, tried.length);
  const figure =
    tried.length === all
      ? `${percent(killed / all)} of all ${all}`
      : `${percent(killed / tried.length)} of ${tried.length} drawn from ${all} (95 % sure: ${percent(low)} to ${percent(high)})`;
  const fateCounts = `${count('killed')} killed, ${count('timeout')} timeout, ${count('survived')} survived, ${count('no coverage')} no coverage`;
  return [...lines, `${folder}: ${figure} noticed: ${fateCounts}`];
}

function lineOf({ path, line, was, edit }: Mutant, fate: Fate): string {
  return `${relative('.', path)}:${line} ${fate}: ${shortened(was)} → ${edit.text || '(nothing)'}`;
}

const shortened = (text: string): string => (text.length > 90 ? `${text.slice(0, 87)}…` : text);

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Wilson's interval of a share that was seen in a sample, which holds at 0 and 1 too. */
export function interval(hits: number, sample: number): [low: number, high: number] {
  if (sample === 0) return [0, 1];
  const z = 1.96;
  const share = hits / sample;
  const middle = share + z ** 2 / (2 * sample);
  const reach = z * Math.sqrt((share * (1 - share)) / sample + z ** 2 / (4 * sample ** 2));
  const scale = 1 + z ** 2 / sample;
  return [Math.max(0, (middle - reach) / scale), Math.min(1, (middle + reach) / scale)];
}
