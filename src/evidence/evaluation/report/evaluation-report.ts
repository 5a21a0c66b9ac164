import type { LabelPair } from '../../datasets/face/labels.ts';
import { chooseThreshold, type ThresholdChoice, type Units } from '../choose/choose-threshold.ts';
import { goalFigure, goalText } from '../choose/goal-figure.ts';
import type { Goal } from '../choose/goal.ts';
import { explainTools, type EvaluatedBoxes, type ToolComparison, type ToolGap } from '../other-tools/explain-tools.ts';
import { toolNames } from '../other-tools/tool-names.ts';
import { confusionMatrix, type ConfusionMatrix } from '../sweep/confusion-matrix.ts';
import { errorKinds, errorsByKind, type ErrorKinds } from '../sweep/error-kinds.ts';
import { kindWords } from '../sweep/kind-words.ts';
import { countsOfBest, cutsOf, ratesOf, type LabelSweep } from '../sweep/label-sweep.ts';
import { settleBoxes } from '../sweep/settle-boxes.ts';
import { escapeHtml } from './escape-html.ts';
import { linePlot, type PlotSeries } from './line-plot.ts';
import { errorPictures, type PicturedError } from './pictured-errors.ts';
import { csvText, figure, interval, reportPage, table } from './report-page.ts';
import type { Evaluated, EvaluationSummary } from '../summary/summarize.ts';

/** The evaluation that a report is about, with its data and model. */
export interface ReportSubject {
  readonly title: string;
  /** names and values, such as data, model, hashes, versions */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** null: results were read from a file */
  readonly configText: string | null;
  /** errors that are drawn, in the report as a page only; default: none */
  readonly pictured?: readonly PicturedError[];
  /** labels of the dataset that count by the model's names; default: none */
  readonly labelPairs?: readonly LabelPair[];
}

export interface EvaluationReport {
  readonly subject: ReportSubject;
  readonly summary: EvaluationSummary;
  /** by which thresholds are offered */
  readonly goal: Goal;
  /** by label number; null: there is no truth of it */
  readonly choices: readonly (ThresholdChoice | null)[];
  readonly kinds: ErrorKinds['kinds'];
  readonly confusion: ConfusionMatrix;
  readonly tools: ToolComparison;
  readonly labels: readonly string[];
  readonly sweeps: readonly LabelSweep[];
}

/**
 * Gathers what a report says: the figures, the threshold of each label by a goal, kinds of error, confusion.
 *
 * @param subject what was evaluated
 * @param boxes truth, results, images and labels
 * @param evaluated of `evaluateBoxes`
 * @param thresholds in force, by label number
 * @param goal by which thresholds are offered, default: best F1
 * @param units which images belong together, default: each is its own
 * @returns the report as data, for `reportHtml`, `reportJson` and `reportCsv`
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * import { evaluateBoxes } from '../summary/summarize.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 10, 10]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.9);
 * found.add(0, 0, [50, 0, 10, 10], 0.6);
 * const space = { imageCount: 1, labels: ['cup'] };
 * const sets = { truth: truth.build(), detections: found.build(), space };
 * const figures = evaluateBoxes(sets.truth, sets.detections, space, [0.5]);
 * const subject = { title: 'Cups', facts: [], configText: null };
 * const report = makeReport(subject, sets, figures, [0.5]);
 * report.choices[0].threshold; // => 0.8
 */
export function makeReport(
  subject: ReportSubject,
  boxes: EvaluatedBoxes,
  evaluated: Evaluated,
  thresholds: ArrayLike<number>,
  goal: Goal = { kind: 'best-f1' },
  units?: Units,
): EvaluationReport {
  const { truth, detections, space } = boxes;
  const { summary, matches, sweeps } = evaluated;
  return {
    subject,
    summary,
    goal,
    choices: sweeps.map((sweep) => chooseThreshold(sweep, space.imageCount, goal, units && { units })),
    kinds: errorsByKind(truth, detections, space, matches).kinds,
    confusion: confusionMatrix(truth, detections, space, settleBoxes(matches, truth, thresholds)),
    tools: explainTools(boxes, evaluated, thresholds),
    labels: space.labels,
    sweeps,
  };
}

/**
 * @param report of `makeReport`
 * @returns everything as one object for `JSON.stringify`: figures in full, undefined ones null
 * @example JSON.stringify(reportJson(report));
 */
export function reportJson({
  subject,
  summary,
  goal,
  choices,
  kinds,
  confusion,
  labels,
  tools,
}: EvaluationReport): object {
  return {
    title: subject.title,
    facts: Object.fromEntries(subject.facts),
    labelPairs: subject.labelPairs ?? [],
    ...summary,
    goal,
    choices: choices.map((choice, label) => (choice ? { ...choice, label: labels[label]! } : null)),
    errorKinds: kinds,
    confusion: {
      labels: [...labels, 'background'],
      counts: Array.from({ length: confusion.size }, (_, row) => [...rowOf(confusion, row)]),
    },
    otherTools: tools.gaps,
    otherToolsByLabel: tools.perLabel.map((one) => ({ ...one, label: labels[one.label]! })),
    configuration: subject.configText,
  };
}

/**
 * @param report of `makeReport`
 * @returns a line a label, and one for all boxes, as CSV (RFC 4180); undefined figures are empty; `dataLabels` are the names
 * that the dataset has for the label
 * @example reportCsv(report).split('\r\n')[0];
 */
export function reportCsv({ subject, summary, goal, choices }: EvaluationReport): string {
  const columns = 'label,truth,AP,AP50,threshold,precision,recall,f1,truePositives,falsePositives,missed'.split(',');
  const offered = [
    'goal',
    'chosenThreshold',
    'goalFigure',
    'expected',
    'expectedLow',
    'expectedHigh',
    'units',
    'dataLabels',
  ];
  const dataLabelsOf = (name: string): string =>
    (subject.labelPairs ?? [])
      .filter(({ modelLabel }) => modelLabel.toLowerCase() === name.toLowerCase())
      .map(({ label }) => label)
      .join('; ');
  const lines: (readonly (string | number | null)[])[] = [[...columns, ...offered]];
  for (const [number, one] of summary.perLabel.entries()) {
    const choice = choices[number] ?? null;
    const { figure: judgedBy, expected } = goalFigure(goal, choice?.expected ?? null);
    const range = [expected?.value ?? null, expected?.low ?? null, expected?.high ?? null];
    const values = columns.map((column) => one[column as keyof typeof one]);
    lines.push([
      ...values,
      goalText(goal),
      choice?.threshold ?? null,
      judgedBy,
      ...range,
      choice?.units ?? null,
      dataLabelsOf(one.label) || null,
    ]);
  }
  const { total, metrics, truth } = summary;
  const all = { ...total, label: 'all', truth, AP: metrics.AP, AP50: metrics.AP50, threshold: null };
  lines.push([...columns.map((column) => all[column as keyof typeof all]), ...offered.map(() => null)]);
  return csvText(lines);
}

/** A larger matrix is read by no one; JSON has it whole. */
const mostConfused = 30;
const mostLines = 8;

/**
 * The report as one page that loads nothing: plots are SVG, colours follow the reader's light or dark, and it prints.
 *
 * @param report of `makeReport`
 * @returns the text of an HTML file
 * @example await writeFile('report.html', reportHtml(report));
 */
export function reportHtml(report: EvaluationReport): string {
  const { subject, summary, goal, kinds, labels, confusion } = report;
  const { metrics, total, falseWithoutTruth } = summary;
  return reportPage(
    subject.title,
    `${table([], [...subject.facts.map(([name, value]) => [name, value]), ['Images', String(summary.images)], ['Truth boxes', String(summary.truth)], ['Results', String(summary.detections)]], 'texts')}
<h2>COCO’s figures</h2>
${table(Object.keys(metrics), [Object.values(metrics).map(figure)])}
${falseWithoutTruth > 0 ? `<p>${falseWithoutTruth} results are of labels without truth: these figures leave them out.</p>` : ''}
<h2>At the current thresholds</h2>
<p>IoU 0.5. “Chosen” is the threshold by the goal: ${escapeHtml(goalText(goal))}. “Expected” is what a threshold that is chosen so does on other images, with its 95 % interval: chosen on nine parts of the images and counted on the tenth. “Units” are the independent ones with the label that it stands on.</p>
<div class="scroll">${table(
      [
        'Label',
        'Truth',
        'AP',
        'AP50',
        'Threshold',
        'Precision',
        'Recall',
        'F1',
        'Chosen',
        `Expected ${goalFigure(goal, null).figure}`,
        'Units',
      ],
      [
        ...summary.perLabel.map((one, number) => labelRow(one, report.choices[number] ?? null, goal)),
        [
          'All boxes',
          String(summary.truth),
          figure(metrics.AP),
          figure(metrics.AP50),
          '',
          figure(total.precision),
          figure(total.recall),
          figure(total.f1),
          '',
          '',
          '',
        ],
      ],
    )}</div>
${tooFew(report)}
<div class="plots">
${linePlot(
  'Precision against recall',
  'Recall',
  'Precision',
  curves(report, ({ recall, precision }) => [recall ?? 0, precision ?? 1]),
)}
${linePlot(
  'F1 against threshold',
  'Threshold',
  'F1',
  curves(report, ({ f1 }, threshold) => [Math.min(1, Math.max(0, threshold)), f1 ?? 0]),
)}
</div>
<h2>Kinds of error</h2>
<p>By how much the mean AP at IoU 0.5 would rise if one kind alone were fixed; the parts do not add up to what is lacking.</p>
${table(
  ['Kind', 'Boxes', 'Gain'],
  errorKinds.map((kind) => [kindWords[kind].title, String(kinds[kind].count), figure(kinds[kind].gain)]),
)}
<h2>Confusion</h2>
<p>Rows are truth, columns results. Labels are matched to their own first; what is left is paired across labels where it overlaps by half.</p>
${confusion.size <= mostConfused + 1 ? `<div class="scroll">${confusionTable(confusion, labels)}</div>` : `<p>With ${labels.length} labels it is too large for a page; the JSON report has it.</p>`}
${toolsPart(report)}
${errorPictures(subject.pictured ?? [])}
${subject.configText === null ? '' : `<h2>Configuration</h2>\n<pre>${escapeHtml(subject.configText)}</pre>`}`,
  );
}

const mostToolLabels = 200;

/** Other tools' numbers of the same boxes, and of each label; '' where there is no truth. */
function toolsPart({ tools: { gaps, perLabel }, labels }: EvaluationReport): string {
  if (gaps.length === 0) return '';
  const rows = perLabel.toSorted((a, b) => b.truth - a.truth).slice(0, mostToolLabels);
  return `<h2>Other tools’ numbers of the same boxes</h2>
<p>Each table goes from one tool’s number to the other’s and replaces one rule after the other; the differences sum to the gap. The rules of LVIS and Open Images are missing: they need to know which labels were looked for in each image, and how labels contain each other.</p>
${gaps.map(toolTable).join('')}
<h3>F1 of each label</h3>
<div class="scroll">${table(
    ['Label', 'Truth', 'Current threshold', toolNames.supervision, toolNames.ultralytics, 'Best F1', 'at'],
    rows.map(({ label, truth, counted, supervision, ultralytics, best, bestThreshold }) => [
      labels[label]!,
      String(truth),
      figure(counted),
      figure(supervision),
      figure(ultralytics),
      figure(best),
      String(bestThreshold),
    ]),
  )}</div>`;
}

/** From one tool's number down to the other's, rule by rule. */
function toolTable({ figure: name, from, to, rules }: ToolGap): string {
  const text = (value: number): string => (name.endsWith('boxes') ? String(value) : figure(value));
  const signed = (gap: number): string => `${gap < 0 ? '−' : '+'}${text(Math.abs(gap))}`;
  const steps = rules.map(({ rule, gap }) => [rule, signed(gap)]);
  return table(
    [`${name}, replacing one rule after the other`, ''],
    [[from.tool, text(from.value)], ...steps, [to.tool, text(to.value)]],
  );
}

function labelRow(one: EvaluationSummary['perLabel'][number], choice: ThresholdChoice | null, goal: Goal): string[] {
  const { label, truth, AP, AP50, threshold, precision, recall, f1 } = one;
  const at = threshold === null ? 'dropped' : String(threshold);
  const expected = choice ? interval(goalFigure(goal, choice.expected).expected) : '–';
  const figures = [figure(precision), figure(recall), figure(f1)];
  return [
    label,
    String(truth),
    figure(AP),
    figure(AP50),
    at,
    ...figures,
    choice ? String(choice.threshold) : '–',
    expected,
    choice ? String(choice.units) : '–',
  ];
}

function tooFew({ choices, labels }: EvaluationReport): string {
  const lines = choices.flatMap((choice, label) =>
    choice?.tooFew
      ? [
          'atLeast' in choice.tooFew
            ? `${labels[label]!}: ${choice.units}, and it takes ${choice.tooFew.atLeast} images with it at least, as an interval of fewer may be narrow by luck`
            : `${labels[label]!}: ${choice.tooFew.moreToHalve} more images with it would halve the interval`,
        ]
      : [],
  );
  if (lines.length === 0) return '';
  return `<p>Too few images to say much of:</p><ul>${lines.map((line) => `<li>${escapeHtml(line)}`).join('')}</ul>`;
}

function curves(
  { sweeps, labels }: EvaluationReport,
  pointOf: (rates: ReturnType<typeof ratesOf>, threshold: number) => readonly [number, number],
): PlotSeries[] {
  const most = sweeps
    .filter(({ truthCount }) => truthCount > 0)
    .toSorted((a, b) => b.truthCount - a.truthCount)
    .slice(0, mostLines);
  return most.map((sweep) => ({
    name: labels[sweep.label]!,
    points: Array.from(cutsOf(sweep), (kept) =>
      pointOf(ratesOf(countsOfBest(sweep, kept)), kept === 0 ? 1 : sweep.score[kept - 1]!),
    ),
  }));
}

const rowOf = ({ counts, size }: ConfusionMatrix, row: number): Uint32Array =>
  counts.subarray(row * size, (row + 1) * size);

function confusionTable(confusion: ConfusionMatrix, labels: readonly string[]): string {
  const names = [...labels, 'background'];
  return table(
    ['', ...names],
    names.map((name, row) => [name, ...Array.from(rowOf(confusion, row), String)]),
  );
}

/**
 * @param report of `makeReport`
 * @param format of the file
 * @returns the file's text
 * @example
 * import { DetectionSetBuilder, TruthSetBuilder } from '../build-sets.ts';
 * import { evaluateBoxes } from '../summary/summarize.ts';
 * const truth = new TruthSetBuilder();
 * truth.add(0, 0, [0, 0, 10, 10]);
 * const found = new DetectionSetBuilder();
 * found.add(0, 0, [0, 0, 10, 10], 0.9);
 * found.add(0, 0, [50, 0, 10, 10], 0.6);
 * const space = { imageCount: 1, labels: ['cup'] };
 * const sets = { truth: truth.build(), detections: found.build(), space };
 * const figures = evaluateBoxes(sets.truth, sets.detections, space, [0.5]);
 * const subject = { title: 'Cups', facts: [], configText: null };
 * const report = makeReport(subject, sets, figures, [0.5]);
 * reportText(report, 'csv').split(',')[0]; // => 'label'
 */
export function reportText(report: EvaluationReport, format: 'html' | 'json' | 'csv'): string {
  if (format === 'csv') return reportCsv(report);
  return format === 'json' ? `${JSON.stringify(reportJson(report))}\n` : reportHtml(report);
}
