import type { ClassSummary } from '../../evidence/evaluation/face/classification.ts';
import type { EvaluationSummary } from '../../evidence/evaluation/face/sweep.ts';
import { CliError } from '../record/cli-error.ts';
import { made, option } from '../record/field.ts';
import { UsageError } from '../record/usage-error.ts';

/** A figure that must not be lower: of all boxes, or of one label. */
export interface Floor {
  readonly figure: FloorFigure;
  /** null: of all */
  readonly label: string | null;
  readonly atLeast: number;
}

const cocoFigures = ['AP', 'AP50', 'AP75', 'APs', 'APm', 'APl', 'AR1', 'AR10', 'AR100', 'ARs', 'ARm', 'ARl'] as const;
const labelFigures = ['AP', 'AP50', 'precision', 'recall', 'f1'] as const;
const rates = ['precision', 'recall', 'f1'] as const;
/** Figures of a classifier, without its calibration error, for which a floor makes no sense. */
const classFigures = ['accuracy', 'top3', 'top5'] as const;

type FloorFigure = (typeof cocoFigures)[number] | (typeof rates)[number] | (typeof classFigures)[number];

/** A floor that was missed: written out with the result. */
export interface MissedFloor {
  readonly figure: string;
  /** null: the figure is undefined, which no floor takes */
  readonly value: number | null;
  readonly atLeast: number;
}

/**
 * `mAP50=0.5,precision:person=0.9`: figures with the lowest value that is taken, of all boxes or of a label. The names are those of
 * the output; a leading m is let pass, as a mean is often written so.
 */
export const floors = made(
  option('--fail-under FIGURES', 'exit code 1 where a figure is lower or undefined: mAP50=0.5,precision:person=0.9'),
  (text): readonly Floor[] => (text === null ? [] : text.split(',').map(parseFloor)),
);

function parseFloor(text: string): Floor {
  const [, written = '', label, number = ''] = /^\s*([^:=]+?)\s*(?::(.+))?=([^=]*)$/.exec(text) ?? [];
  const known: readonly string[] = label === undefined ? [...cocoFigures, ...rates, ...classFigures] : labelFigures;
  const figure = known.find((name) => name === written || `m${name}` === written);
  if (figure === undefined) {
    throw new UsageError(
      `--fail-under wants FIGURE=NUMBER or FIGURE:LABEL=NUMBER, got "${text}"; figures${label === undefined ? '' : ' of a label'}: ${known.join(', ')}.`,
    );
  }
  const atLeast = Number(number);
  if (number.trim() === '' || !(atLeast >= 0 && atLeast <= 1))
    throw new UsageError(`--fail-under wants a number from 0 to 1 for ${written}, got "${number}".`);
  return { figure: figure as FloorFigure, label: label ?? null, atLeast };
}

/** @throws CliError for a label that the data lacks */
export function missedFloors(asked: readonly Floor[], summary: EvaluationSummary): MissedFloor[] {
  return missedOf(asked, (floor) => valueOf(floor, summary));
}

/** @throws CliError for a label that the data lacks, and for a figure that only boxes have */
export function missedClassFloors(asked: readonly Floor[], { metrics, perLabel }: ClassSummary): MissedFloor[] {
  return missedOf(asked, ({ figure, label }) => {
    if (label === null && isOneOf(classFigures, figure)) return metrics[figure];
    if (label === null || !isOneOf(rates, figure))
      throw new CliError(
        'unknown-figure',
        `--fail-under names ${figure}, which a classifier lacks${label === null ? '' : ' by label'}; it has: ${classFigures.join(', ')}, and ${rates.join(', ')} of a label.`,
      );
    return ofLabel(perLabel, label)[figure];
  });
}

function missedOf(asked: readonly Floor[], value: (floor: Floor) => number | null): MissedFloor[] {
  return asked.flatMap((floor) => {
    const { figure, label, atLeast } = floor;
    const found = value(floor);
    if (found !== null && found >= atLeast) return [];
    return [{ figure: label === null ? figure : `${figure}:${label}`, value: found, atLeast }];
  });
}

const isOneOf = <T extends string>(list: readonly T[], name: string): name is T =>
  (list as readonly string[]).includes(name);

function valueOf({ figure, label }: Floor, { metrics, perLabel, total }: EvaluationSummary): number | null {
  if (isOneOf(classFigures, figure))
    throw new CliError('unknown-figure', `--fail-under names ${figure}, which only a classifier has.`);
  if (label !== null) return ofLabel(perLabel, label)[figure as (typeof labelFigures)[number]];
  return isOneOf(cocoFigures, figure) ? metrics[figure] : total[figure];
}

function ofLabel<T extends { readonly label: string }>(perLabel: readonly T[], label: string): T {
  const found = perLabel.find((one) => one.label.toLowerCase() === label.toLowerCase());
  if (found) return found;
  const known = perLabel.map((one) => `"${one.label}"`).join(', ');
  throw new CliError(
    'unknown-label',
    `--fail-under names the label "${label}", which the data lacks; it has: ${known}.`,
  );
}

/** @returns one line a floor that was missed */
export function missedInWords({ figure, value, atLeast }: MissedFloor): string {
  return value === null
    ? `${figure} is undefined, as there is nothing to measure it by, and is wanted to be at least ${atLeast}.`
    : `${figure} is ${value}, and is wanted to be at least ${atLeast}.`;
}
