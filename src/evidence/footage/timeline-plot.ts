import { escapeHtml } from '../evaluation/face/report.ts';
import { timeText } from './time-text.ts';
import type { LabelTimeline, TimelineSpan } from './timeline.ts';

const size = { width: 960, height: 110, left: 44, right: 44, top: 8, bottom: 24 };
const inner = {
  left: size.left,
  top: size.top,
  width: size.width - size.left - size.right,
  height: size.height - size.top - size.bottom,
};
const timeTicks = [0, 0.25, 0.5, 0.75, 1];

/**
 * One label over time, as SVG that needs nothing beside it: bars of boxes with their scale on the right, the best
 * score of each bucket with its scale (0 to 1) on the left, and the threshold as a dashed line.
 * @param timeline of the label
 * @param span its time
 * @returns HTML of a figure
 */
export function timelinePlot(timeline: LabelTimeline, { fromMs, toMs, bucketCount }: TimelineSpan): string {
  const { label, threshold, most, best } = timeline;
  const highest = most.reduce((a, b) => Math.max(a, b), 1);
  const yOf = (part: number): string => (size.top + (1 - part) * inner.height).toFixed(1);
  const barWidth = inner.width / bucketCount;
  const bars = Array.from(most, (count, at) =>
    count === 0
      ? ''
      : `M${(inner.left + at * barWidth).toFixed(1)} ${yOf(0)}V${yOf(count / highest)}h${barWidth.toFixed(2)}V${yOf(0)}`,
  ).join('');
  // A step a bucket: a line from bucket to bucket would not show a score between two buckets without one.
  const scores = Array.from(best, (score, at) =>
    Number.isNaN(score)
      ? ''
      : `M${(inner.left + at * barWidth).toFixed(1)} ${yOf(Math.min(1, Math.max(0, score)))}h${barWidth.toFixed(2)}`,
  ).join('');
  const threshold01 = Math.min(1, threshold);
  const times = timeTicks
    .map((tick) => {
      const anchor = tick === 0 ? 'start' : tick === 1 ? 'end' : 'middle';
      const x = (inner.left + tick * inner.width).toFixed(1);
      return `<text x="${x}" y="${size.height - 8}" text-anchor="${anchor}">${timeText(fromMs + tick * (toMs - fromMs))}</text>`;
    })
    .join('');
  const scale = [0, 1]
    .map(
      (tick) =>
        `<text x="${size.left - 6}" y="${yOf(tick)}" text-anchor="end" dominant-baseline="middle">${tick}</text>`,
    )
    .join('');
  const drawnThreshold = Number.isFinite(threshold)
    ? `<path class="line" style="stroke:hsl(0 70% 50%)" stroke-dasharray="5 3" d="M${inner.left} ${yOf(threshold01)}h${inner.width}"/>`
    : '';
  return `<figure style="max-width:none"><figcaption>${escapeHtml(label)}</figcaption>
<svg role="img" aria-label="${escapeHtml(`${label} over time`)}" viewBox="0 0 ${size.width} ${size.height}"><path d="${bars}" style="fill:hsl(211 70% 50% / .35)"/><path class="line" style="stroke:hsl(211 70% 50%)" d="${scores}"/>${drawnThreshold}<path class="grid" d="M${inner.left} ${yOf(0)}h${inner.width}"/>${times}${scale}<text x="${size.width - size.right + 6}" y="${yOf(1)}" dominant-baseline="middle">${highest}</text></svg></figure>`;
}
