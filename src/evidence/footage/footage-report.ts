import { csvText, escapeHtml, reportPage, type ReportSubject, table, thinned } from '../evaluation/face/report.ts';
import { changeText, type Change } from './changes.ts';
import type { DigestedRun } from './run-digest.ts';
import { timeText } from './time-text.ts';
import type { LabelTimeline } from './timeline.ts';
import { timelinePlot } from './timeline-plot.ts';

/** A report of a run over footage. */
export interface FootageReport {
  readonly subject: Omit<ReportSubject, 'pictured'>;
  readonly digest: DigestedRun;
  /** data: URLs of small pictures by number of frame; a change without one has its words only */
  readonly pictures: ReadonlyMap<number, string>;
}

/** More are read by no one; JSON and CSV have all labels. */
const mostPlots = 40;
const mostPictures = 120;

/**
 * @param digest of a run
 * @returns the changes that a report shows as pictures: all, or so many that lie evenly between the first and the last
 */
export const picturedChanges = ({ changes }: Pick<DigestedRun, 'changes'>): readonly Change[] =>
  thinned(changes, mostPictures);

/**
 * @param report what was run and what came of it
 * @returns everything as one object for `JSON.stringify`
 */
export function footageReportJson({ subject, digest }: FootageReport): object {
  const { span, labels, changes, failures, failedCount, frameCount } = digest;
  return {
    title: subject.title,
    facts: Object.fromEntries(subject.facts),
    frames: frameCount,
    failed: failedCount,
    failures,
    span,
    labels: labels.map((one) => ({
      ...totalsOf(one),
      timeline: { frames: [...one.frames], most: [...one.most], best: Array.from(one.best, finite) },
    })),
    changes: changes.map(({ counts, before, ...change }) => ({
      ...change,
      counts: Object.fromEntries(counts),
      before: Object.fromEntries(before),
    })),
    configuration: subject.configText,
  };
}

/**
 * @param report what was run and what came of it
 * @returns a line a label as CSV (RFC 4180); an undefined figure is empty
 */
export function footageReportCsv({ digest: { labels } }: FootageReport): string {
  return csvText([
    ['label', 'threshold', 'frames', 'kept', 'most', 'best'],
    ...labels.map((one) => Object.values(totalsOf(one))),
  ]);
}

/**
 * @param report what was run and what came of it
 * @returns one page that loads nothing: totals, a timeline of each label with its threshold, pictures at changes, failures
 */
export function footageReportHtml({ subject, digest, pictures }: FootageReport): string {
  const { span, labels, changes, failures, failedCount, frameCount } = digest;
  const pictured = picturedChanges(digest);
  return reportPage(
    subject.title,
    `${table([], [...subject.facts.map(([name, value]) => [name, value]), ['Frames', String(frameCount)], ['Failed', String(failedCount)]], 'texts')}
<h2>Labels</h2>
<p>“Frames” have at least one box or class that the filter keeps; “most” are on one frame; “best” is the highest score before the filter.</p>
${labels.length === 0 ? '<p>Nothing was found on any frame.</p>' : `<div class="scroll">${table(['Label', 'Threshold', 'Frames', 'Kept', 'Most', 'Best'], labels.map(labelRow))}</div>`}
<h2>Timeline</h2>
<p>Bars are the most that are kept on one frame, lines are the best scores before the filter, and the dashed line is the threshold.</p>
${labels
  .slice(0, mostPlots)
  .map((one) => timelinePlot(one, span))
  .join('\n')}
${labels.length > mostPlots ? `<p>${labels.length - mostPlots} more labels are in the reports as JSON and CSV.</p>` : ''}
<h2>Changes</h2>
${changes.length === 0 ? '<p>What the filter keeps never changes.</p>' : `<div class="plots pictures">${pictured.map((change) => changeFigure(change, pictures.get(change.index))).join('\n')}</div>`}
${pictured.length < changes.length ? `<p>${pictured.length} of ${changes.length} changes are shown.</p>` : ''}
${
  failures.length === 0
    ? ''
    : `<h2>Frames that failed</h2>\n<div class="scroll">${table(
        ['Frame', 'Name', 'Why'],
        failures.map(({ index, name, message }) => [String(index), name, message]),
        'texts',
      )}</div>${failures.length < failedCount ? `<p>The first ${failures.length} of ${failedCount} are listed; the table has all.</p>` : ''}`
}
${subject.configText === null ? '' : `<h2>Configuration</h2>\n<pre>${escapeHtml(subject.configText)}</pre>`}`,
  );
}

function totalsOf({ label, threshold, frames, most, best, kept }: LabelTimeline) {
  return {
    label,
    threshold: threshold === -Infinity ? 0 : finite(threshold),
    frames: frames.reduce((sum, count) => sum + count, 0),
    kept,
    most: most.reduce((a, b) => Math.max(a, b), 0),
    best: finite(best.reduce((a, b) => (b > a ? b : a), -Infinity)),
  };
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

function labelRow(one: LabelTimeline): string[] {
  const { label, threshold, frames, kept, most, best } = totalsOf(one);
  const least = threshold === null ? 'not listed' : String(threshold);
  return [label, least, String(frames), String(kept), String(most), best === null ? '–' : best.toFixed(3)];
}

function changeFigure({ index, timeMs, name, ...change }: Change, url: string | undefined): string {
  const words = changeText(change);
  const image = url ? `<img src="${escapeHtml(url)}" alt="${escapeHtml(words)}" style="max-width:100%">` : '';
  return `<figure>${image}<figcaption><b>${timeText(timeMs)}</b> frame ${index}, ${escapeHtml(name)}<br>${escapeHtml(words)}</figcaption></figure>`;
}
