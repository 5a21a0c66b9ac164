import { inWords, type ReasonInWords } from '../likely-reasons.ts';
import type { ServiceCause } from './service-cause.ts';
import type { PairedRow } from './paired-rows.ts';
import type { TriedService } from './try-services.ts';

/** More names are not listed. */
const mostNamed = 3;

/**
 * The service with the names that the machine gives its classes; null: it gives the same ones, or one class two names.
 * @param pairs rows whose labels are index numbers, with the machine's
 */
export function labelCause(present: TriedService, pairs: readonly PairedRow[]): ServiceCause | null {
  const there = namesThere(pairs);
  if (!there) return null;
  const nameHere = (index: number): string => (present.labels ? (present.labels[index] ?? '') : String(index));
  const other = [...there].filter(([index, name]) => nameHere(index) !== name).toSorted(([a], [b]) => a - b);
  if (other.length === 0) return null;
  const count = Math.max(present.labels?.length ?? 0, ...[...there.keys()].map((index) => index + 1));
  const areNumbers = other.every(([index, name]) => name === String(index));
  const named = Array.from({ length: count }, (_, index) => there.get(index) ?? nameHere(index));
  return {
    service: { ...present, labels: areNumbers ? null : named },
    ...reasonOf(present.labels, [...there], other, areNumbers),
  };
}

type NamedClass = readonly [index: number, name: string];

function namesThere(pairs: readonly PairedRow[]): ReadonlyMap<number, string> | null {
  const names = new Map<number, string>();
  for (const { row, there } of pairs) {
    if (!there) continue;
    const index = Number(row.label);
    if ((names.get(index) ?? there.label) !== there.label) return null;
    names.set(index, there.label);
  }
  return names;
}

function reasonOf(
  here: readonly string[] | null,
  all: readonly NamedClass[],
  other: readonly NamedClass[],
  areNumbers: boolean,
): ReasonInWords {
  if (areNumbers) return inWords('labels-missing-there');
  if (here === null) return inWords('labels-missing-here');
  for (const [shift, words] of shifts)
    if (isShifted(here, all, shift))
      return {
        reason: 'other-labels',
        words: `Boxes and scores are the same, and the label files are shifted by a line: ${words}.`,
      };
  const listed = other
    .slice(0, mostNamed)
    .map(([index, name]) => `class ${index} is “${here[index] ?? ''}” here and “${name}” there`);
  const more = other.length - listed.length;
  const words = `Boxes and scores are the same and names are not, so the label file there is another one: ${listed.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`;
  return { reason: 'other-labels', words };
}

/** The line of one end stands in one file alone. */
function isShifted(here: readonly string[], all: readonly NamedClass[], shift: number): boolean {
  const both = all.filter(([index]) => here[index + shift] !== undefined);
  return both.length > 0 && both.every(([index, name]) => here[index + shift] === name);
}

const shifts = [
  [1, 'the one here has a line more at its beginning, such as “background” or “???”'],
  [-1, 'the one there has a line more at its beginning, such as “background” or “???”'],
] as const;
