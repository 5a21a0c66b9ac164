import { escapeHtml } from './escape-html.ts';
import { linePath } from './line-path.ts';

export interface PlotSeries {
  readonly name: string;
  /** x and y from 0 to 1 */
  readonly points: readonly (readonly [x: number, y: number])[];
}

const size = { width: 420, height: 300, left: 44, right: 12, top: 12, bottom: 40 };
const inner = {
  left: size.left,
  top: size.top,
  width: size.width - size.left - size.right,
  height: size.height - size.top - size.bottom,
};
const mostPoints = 400;
const ticks = [0, 0.25, 0.5, 0.75, 1];

const xOf = (x: number): string => (size.left + x * inner.width).toFixed(1);
const yOf = (y: number): string => (size.top + (1 - y) * inner.height).toFixed(1);

/** Lines over two axes from 0 to 1, as SVG that needs nothing beside it: its colours are the page's custom properties. */
export function linePlot(title: string, xTitle: string, yTitle: string, series: readonly PlotSeries[]): string {
  const grid = ticks
    .map(
      (tick) =>
        `<path class="grid" d="M${xOf(tick)} ${yOf(0)}V${yOf(1)}M${xOf(0)} ${yOf(tick)}H${xOf(1)}"/>` +
        `<text x="${xOf(tick)}" y="${size.height - 24}" text-anchor="middle">${tick}</text>` +
        `<text x="${size.left - 6}" y="${yOf(tick)}" text-anchor="end" dominant-baseline="middle">${tick}</text>`,
    )
    .join('');
  const lines = series
    .map(
      ({ name, points }, at) =>
        `<path class="line" style="stroke:${colourOf(at)}" d="${linePath(thinned(points, mostPoints), inner)}">` +
        `<title>${escapeHtml(name)}</title></path>`,
    )
    .join('');
  const legend = series
    .map(({ name }, at) => `<li><span style="background:${colourOf(at)}"></span>${escapeHtml(name)}`)
    .join('');
  return `<figure><figcaption>${escapeHtml(title)}</figcaption>
<svg role="img" aria-label="${escapeHtml(title)}" viewBox="0 0 ${size.width} ${size.height}">${grid}${lines}
<text x="${xOf(0.5)}" y="${size.height - 6}" text-anchor="middle">${escapeHtml(xTitle)}</text>
<text transform="translate(10 ${yOf(0.5)}) rotate(-90)" text-anchor="middle">${escapeHtml(yTitle)}</text></svg>
<ul class="legend">${legend}</ul></figure>`;
}

/** Hues a golden angle apart, so that neighbours in the list are far apart in colour. */
const colourOf = (at: number): string => `hsl(${Math.round((211 + at * 137.5) % 360)} 70% 50%)`;

/**
 * @param points in order
 * @param most how many are left, at least 2
 * @returns `points` itself where there are no more; otherwise the first, the last and what lies evenly between them
 * @example
 * thinned([1, 2, 3, 4, 5], 3); // => [1, 3, 5]
 */
export function thinned<T>(points: readonly T[], most: number): readonly T[] {
  if (points.length <= most) return points;
  return Array.from({ length: most }, (_, at) => points[Math.round((at * (points.length - 1)) / (most - 1))]!);
}
