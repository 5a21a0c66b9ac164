import type { ClassSummary } from '../classification/summarize-classes.ts';
import { escapeHtml } from './escape-html.ts';
import type { ReportSubject } from './evaluation-report.ts';
import { linePlot } from './line-plot.ts';
import { csvText, figure, interval, reportPage, table } from './report-page.ts';

/**
 * The report of a vision service that classifies whole images.
 *
 * @param subject what was evaluated, and with what
 * @param summary its figures
 * @param format of the file
 * @returns the file's text
 * @example
 * import { summarizeClasses } from '../classification/summarize-classes.ts';
 * const summary = summarizeClasses(['cat'], [{ truth: ['cat'], scores: Float64Array.of(0.9) }]);
 * classReportText({ title: 'Pets', facts: [], configText: null }, summary, 'csv'); // => 'label,truth,precision,recall,f1\r\ncat,1,1,1,1\r\n'
 */
export function classReportText(
  subject: Omit<ReportSubject, 'pictured'>,
  summary: ClassSummary,
  format: 'html' | 'json' | 'csv',
): string {
  const { title, facts, configText } = subject;
  if (format === 'html') return classReportHtml(subject, summary);
  if (format === 'json')
    return `${JSON.stringify({ title, facts: Object.fromEntries(facts), ...summary, configuration: configText })}\n`;
  return csvText([
    ['label', 'truth', 'precision', 'recall', 'f1'],
    ...summary.perLabel.map(({ label, truth, precision, recall, f1 }) => [label, truth, precision, recall, f1]),
  ]);
}

function classReportHtml({ title, facts, configText }: Omit<ReportSubject, 'pictured'>, summary: ClassSummary): string {
  const { images, leftOut, metrics, accuracyInterval, calibration, perLabel } = summary;
  const accuracy =
    metrics.accuracy === null || accuracyInterval === null
      ? null
      : { value: metrics.accuracy, low: accuracyInterval[0], high: accuracyInterval[1] };
  return reportPage(
    title,
    `${table([], [...facts, ['Images', String(images)], ['Images without a label that the model can report, in no figure', String(leftOut)]], 'texts')}
<h2>Figures</h2>
<p>“Top 3” and “Top 5”: the right label is among so many best ones. In brackets: the 95 % interval on other images like these.</p>
${table(
  ['Accuracy', 'Top 3', 'Top 5', 'Calibration error'],
  [[interval(accuracy), figure(metrics.top3), figure(metrics.top5), figure(metrics.calibrationError)]],
)}
<h2>Labels</h2>
<div class="scroll">${table(
      ['Label', 'Images', 'Precision', 'Recall', 'F1'],
      perLabel.map(({ label, truth, precision, recall, f1 }) => [
        label,
        String(truth),
        figure(precision),
        figure(recall),
        figure(f1),
      ]),
    )}</div>
<h2>How reliable the scores are</h2>
<p>How often the best label is right, against its mean score. Below the straight line the model is surer than it should be.</p>
<div class="plots">
${linePlot('Share of right images against the mean score', 'Mean score of the best label', 'Share of right images', [
  {
    name: 'as the score says',
    points: [
      [0, 0],
      [1, 1],
    ],
  },
  { name: 'this model', points: calibration.map(({ meanScore, right }) => [Math.min(1, meanScore), right.value]) },
])}
</div>
<div class="scroll">${table(
      ['Mean score', 'Images', 'Right'],
      calibration.map(({ meanScore, count, right }) => [figure(meanScore), String(count), interval(right)]),
    )}</div>
${configText === null ? '' : `<h2>Configuration</h2>\n<pre>${escapeHtml(configText)}</pre>`}`,
  );
}
