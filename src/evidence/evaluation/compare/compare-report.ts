import type { DetectionSet } from '../evaluation.ts';
import { escapeHtml } from '../report/escape-html.ts';
import { csvText, figure, reportPage, table } from '../report/report-page.ts';
import type { ChangedBox } from './compare-detections.ts';
import type { ComparedFigure, FigureDifference } from './compare-figures.ts';
import type { RunComparison, RunPair } from './compare-runs.ts';
import { changesInWords, leftOutInWords, rateInWords, strangersInWords, verdictInWords } from './compare-words.ts';

/** The two sides of a comparison, and by what they differ. */
export interface CompareSubject {
  readonly title: string;
  /** names and values of both sides together, such as data and versions */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** names with a value of each side, such as model and hash */
  readonly sides: readonly (readonly [name: string, first: string, second: string])[];
  /** by what the configurations differ; null: results were read from files */
  readonly settings: readonly ChangedSetting[] | null;
}

/** A value of the configuration that is not the same on both sides, as JSON; '': it is not there. */
export interface ChangedSetting {
  /** such as "face: default_minimum_confidence" */
  readonly place: string;
  readonly first: string;
  readonly second: string;
}

/** What came of a comparison, with what is needed to say it in words. */
export interface ComparisonToTell {
  readonly pair: RunPair;
  readonly comparison: RunComparison;
  /** names of the images, by number */
  readonly names: readonly string[];
  readonly movedMoreThanPx: number;
}

export interface CompareReport extends ComparisonToTell {
  readonly subject: CompareSubject;
}

/**
 * @param report what was compared, and what came of it
 * @returns everything as one object for `JSON.stringify`: figures in full, undefined ones null
 * @example JSON.stringify(compareReportJson(report));
 */
export function compareReportJson({ subject, ...told }: CompareReport): object {
  return {
    title: subject.title,
    facts: Object.fromEntries(subject.facts),
    sides: Object.fromEntries(subject.sides.map(([name, one, other]) => [name, [one, other]])),
    settings: subject.settings,
    ...comparisonJson(told),
  };
}

/**
 * @param told what came of a comparison
 * @returns figures and changes by the names of labels and images
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * import { compareRuns, measureRuns } from './compare-runs.ts';
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.9);
 * const run = { truth: new TruthSetBuilder().build(), detections: found.build() };
 * const space = { imageCount: 1, labels: ['cup'] };
 * const pair = { space, first: run, second: run, units: { count: 1, ofImage: [0] }, ignoreRule: 'crowd' };
 * const at = { firstThresholds: [0.5], secondThresholds: [0.95], movedMoreThanPx: 2 };
 * const comparison = compareRuns(measureRuns(pair), at);
 * const told = { pair, comparison, names: ['a.jpg'], movedMoreThanPx: 2 };
 * comparisonJson(told).changed[0].image; // => 'a.jpg'
 */
export function comparisonJson({ pair, comparison, names }: ComparisonToTell) {
  const { labels } = pair.space;
  const { first, second, counts, changes, figures, strangers, leftOut } = comparison;
  return {
    strangers,
    leftOut,
    first,
    second,
    changes: counts,
    changed: changes.map((change) => ({
      kind: change.kind,
      image: names[change.image],
      movedPx: change.movedPx,
      first: boxOf(pair.first.detections, change.first, labels),
      second: boxOf(pair.second.detections, change.second, labels),
    })),
    figures: figures.map(({ label, ...one }) => ({ label: label === null ? null : labels[label]!, ...one })),
  };
}

function boxOf({ box, label, score }: DetectionSet, row: number, labels: readonly string[]) {
  if (row < 0) return null;
  return { label: labels[label[row]!]!, score: score[row]!, bbox: [...box.subarray(4 * row, 4 * row + 4)] };
}

/**
 * @param report what was compared, and what came of it
 * @returns a line a figure and label, as CSV (RFC 4180); undefined figures are empty
 * @example compareReportCsv(report).split('\r\n')[0];
 */
export function compareReportCsv({ pair, comparison }: CompareReport): string {
  const head = ['label', 'figure', 'first', 'second', 'difference', 'low', 'high', 'verdict', 'unitsToTell'];
  return csvText([
    head,
    ...comparison.figures.map(
      ({ label, figure: name, first, second, difference, verdict, unitsToTell, unitsDiffering }) => {
        const { value = null } = difference ?? {};
        const { low = null, high = null } = unitsDiffering > 0 ? (difference ?? {}) : {};
        return [nameOf(label, pair), name, first, second, value, low, high, verdict, unitsToTell];
      },
    ),
  ]);
}

const nameOf = (label: number | null, { space }: RunPair): string => (label === null ? 'all' : space.labels[label]!);

/** More is read by no one; JSON has all. */
const mostImages = 100;

const kinds: Readonly<Record<ChangedBox['kind'], string>> = {
  vanished: 'Vanish',
  appeared: 'Appear',
  relabelled: 'Label changes',
  moved: 'Move',
};

/** Names of the compared figures, as a person reads them. */
export const figureNames: Readonly<Record<ComparedFigure, string>> = {
  precision: 'Precision',
  recall: 'Recall',
  f1: 'F1',
  AP50: 'AP50',
};

/**
 * The comparison as one page that loads nothing and prints.
 *
 * @param report what was compared, and what came of it
 * @returns the text of an HTML file
 * @example await writeFile('compare.html', compareReportHtml(report));
 */
export function compareReportHtml(report: CompareReport): string {
  const { subject, pair, comparison, names, movedMoreThanPx } = report;
  const { first, second, counts, changes, figures, strangers, leftOut } = comparison;
  const judged = [
    strangers ? strangersInWords(strangers, counts.relabelled) : rateInWords(figures),
    leftOut ? leftOutInWords(leftOut) : '',
  ]
    .join(' ')
    .trim();
  const body = [
    table([], [...subject.facts.map((fact) => [...fact]), ['Images', String(pair.space.imageCount)]], 'texts'),
    table(
      ['', 'A', 'B'],
      [
        ...subject.sides.map((side) => [...side]),
        ['Truth boxes that the camera shows', String(first.truth), String(second.truth)],
        ['mAP', figure(first.metrics.AP), figure(second.metrics.AP)],
      ],
      'texts',
    ),
    `<h2>From A to B</h2>\n<p>${escapeHtml(changesInWords(counts, movedMoreThanPx))}</p>`,
    `<h2>Is B better?</h2>\n<p>At the current thresholds, IoU 0.5, both counted on the same images. In brackets is the 95 % interval of the difference. ${escapeHtml(judged)}</p>`,
    `<div class="scroll">${table(
      ['Label', 'Figure', 'A', 'B', 'B is', 'Difference'],
      figures.map((one) => figureRow(one, pair)),
    )}</div>`,
    settingsTable(subject.settings),
    imagesTable(changes, names),
  ];
  return reportPage(subject.title, body.join('\n'));
}

function figureRow(one: FigureDifference, pair: RunPair): string[] {
  const verdict = verdictInWords(one, pair.units.count, pair.units.count === pair.space.imageCount ? 'image' : 'clip');
  const label = one.label === null ? 'All labels' : pair.space.labels[one.label]!;
  return [label, figureNames[one.figure], figure(one.first), figure(one.second), verdict, differenceText(one)];
}

/**
 * @param difference of `compareFigures`
 * @returns the difference with its sign and interval, in three decimals
 * @example
 * differenceText({ difference: { value: -0.02, low: -0.06, high: 0.02 }, unitsDiffering: 9 }); // => '−0.020 (−0.060 to +0.020)'
 */
export function differenceText({
  difference,
  unitsDiffering,
}: Pick<FigureDifference, 'difference' | 'unitsDiffering'>): string {
  if (!difference) return '–';
  const signed = (value: number): string => `${value < 0 ? '−' : value > 0 ? '+' : ''}${Math.abs(value).toFixed(3)}`;
  // Where nothing differs, no spread tells how far it may elsewhere.
  if (unitsDiffering === 0 || difference.low === difference.high) return signed(difference.value);
  return `${signed(difference.value)} (${signed(difference.low)} to ${signed(difference.high)})`;
}

function settingsTable(settings: CompareSubject['settings']): string {
  if (settings === null) return '';
  const rows = settings.map(({ place, first, second }) => [place, first || '–', second || '–']);
  return `<h2>Configuration</h2>\n${rows.length === 0 ? '<p>Both have the same.</p>' : table(['', 'A', 'B'], rows, 'texts')}`;
}

function imagesTable(changes: readonly ChangedBox[], names: readonly string[]): string {
  const images = changesByImage(changes);
  if (images.length === 0) return '';
  const shown = Object.keys(kinds) as ChangedBox['kind'][];
  const rows = images
    .slice(0, mostImages)
    .map(({ image, counts }) => [names[image]!, ...shown.map((kind) => String(counts[kind]))]);
  const more =
    images.length > mostImages ? `<p>And ${images.length - mostImages} more; the JSON report has them.</p>` : '';
  return `<h2>Images that differ</h2>\n${table(['Image', ...shown.map((kind) => kinds[kind])], rows)}${more}`;
}

export interface ChangedImage {
  readonly image: number;
  readonly counts: Readonly<Record<ChangedBox['kind'], number>>;
  readonly changes: readonly ChangedBox[];
}

/**
 * @param changes of `compareDetections`
 * @returns the images that differ, those with most changes first
 * @example
 * const change = (image) => ({ kind: 'moved', image, first: 0, second: 0, movedPx: 3 });
 * changesByImage([change(1), change(4), change(4)])[0].image; // => 4
 */
export function changesByImage(changes: readonly ChangedBox[]): ChangedImage[] {
  const byImage = new Map<number, ChangedBox[]>();
  for (const change of changes) {
    const others = byImage.get(change.image);
    if (others) others.push(change);
    else byImage.set(change.image, [change]);
  }
  return [...byImage]
    .map(([image, all]) => ({ image, changes: all, counts: countKinds(all) }))
    .sort((a, b) => b.changes.length - a.changes.length || a.image - b.image);
}

function countKinds(changes: readonly ChangedBox[]): ChangedImage['counts'] {
  const counts = { vanished: 0, appeared: 0, relabelled: 0, moved: 0 };
  for (const { kind } of changes) counts[kind]++;
  return counts;
}

/**
 * @param report what was compared, and what came of it
 * @param format of the file
 * @returns the file's text
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * import { compareRuns, measureRuns } from './compare-runs.ts';
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.9);
 * const run = { truth: new TruthSetBuilder().build(), detections: found.build() };
 * const space = { imageCount: 1, labels: ['cup'] };
 * const pair = { space, first: run, second: run, units: { count: 1, ofImage: [0] }, ignoreRule: 'crowd' };
 * const at = { firstThresholds: [0.5], secondThresholds: [0.95], movedMoreThanPx: 2 };
 * const comparison = compareRuns(measureRuns(pair), at);
 * const told = { pair, comparison, names: ['a.jpg'], movedMoreThanPx: 2 };
 * const subject = { title: 'Cups', facts: [], sides: [], settings: null };
 * compareReportText({ ...told, subject }, 'csv').split(',')[0]; // => 'label'
 */
export function compareReportText(report: CompareReport, format: 'html' | 'json' | 'csv'): string {
  if (format === 'csv') return compareReportCsv(report);
  return format === 'json' ? `${JSON.stringify(compareReportJson(report))}\n` : compareReportHtml(report);
}
