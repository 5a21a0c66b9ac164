import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { ChartPoints } from './chart-points.ts';

export interface ChartOptions {
  /** the name of each line */
  readonly names: readonly string[];
  readonly kind: 'line' | 'bar';
}

/** One colour for each line, from the theme, so that they differ in light and dark. */
export const lineColours = ['--accent', '--warn', '--error', '--ok', '--text-2', '--text-3'] as const;

/** Draws a chart that fills `host` and follows its size. Returns a function that removes it. Times are in UTC. */
export function drawChart(host: HTMLElement, points: ChartPoints, { names, kind }: ChartOptions): () => void {
  const style = getComputedStyle(host);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const drawnColour = resolveColours(host);
  // The height of the legend depends on how many lines its names need.
  const legendPx = (): number => host.querySelector<HTMLElement>('.u-legend')?.offsetHeight ?? 30;
  const size = () => ({ width: Math.max(80, host.clientWidth), height: Math.max(80, host.clientHeight - legendPx()) });
  const axis = {
    stroke: drawnColour('--text-2'),
    grid: { stroke: drawnColour('--line'), width: 1 },
    ticks: { stroke: drawnColour('--line'), width: 1 },
    font: `11px ${colour('--font')}`,
  };
  const bars = kind === 'bar' && uPlot.paths.bars ? { paths: uPlot.paths.bars({ size: [0.7, 64] }) } : {};
  const [firstX, lastX] = [points.x[0], points.x.at(-1)];
  const isSingle = !points.names && firstX !== undefined && firstX === lastX;
  const range = points.names
    ? (_: uPlot, low: number, high: number): uPlot.Range.MinMax => [low - 0.6, high + 0.6]
    : isSingle && ((): uPlot.Range.MinMax => [firstX - 30, firstX + 30]); // a single moment: show a minute around it
  const nameAt = (index: number): string => points.names?.[index] ?? '';
  // Without a pointer, the legend shows the last values of a time.
  const last = points.x.length - 1;
  const sayLast = (drawn: uPlot): void => {
    if (points.isTime && last >= 0 && (drawn.legend.idx ?? null) === null) drawn.setLegend({ idx: last }, false);
  };
  const chart = new uPlot(
    {
      ...size(),
      hooks: { ready: [sayLast], setLegend: [sayLast] },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      scales: {
        x: { time: points.isTime, ...(range && { range }) },
        ...(kind === 'bar' && {
          y: { range: (_, low, high) => uPlot.rangeNum(Math.min(0, low), Math.max(0, high), 0.1, true) },
        }),
      },
      axes: [
        points.names
          ? { ...axis, splits: (_, __, low, high) => wholeNumbers(low, high), values: (_, at) => at.map(nameAt) }
          : { ...axis, ...(points.isTime && { values: clockTimes }) },
        axis,
      ],
      series: [
        {
          label: points.isTime ? 'UTC' : '',
          ...(points.names && { value: (_: uPlot, at: number) => nameAt(at) }),
          ...(points.isTime && { value: '{YYYY}-{MM}-{DD} {HH}:{mm}:{ss}' }),
        },
        ...names.map((label, index) => {
          const stroke = drawnColour(lineColours[index % lineColours.length]!);
          return {
            label,
            stroke,
            width: 1.5,
            ...(kind === 'bar' && { fill: stroke }),
            ...bars,
            points: { size: isSingle ? 8 : 4 },
          };
        }),
      ],
    },
    [points.x as number[], ...(points.lines as (number | null)[][])],
    host,
  );
  const watched = new ResizeObserver(() => chart.setSize(size()));
  watched.observe(host);
  return () => {
    watched.disconnect();
    chart.destroy();
  };
}

/** Labels of a time axis by the seconds between them: dates as in the tables, and hours from 0 to 24. */
const clockTimes: uPlot.Axis.Values = [
  [31_536_000, '{YYYY}', null, null, null, null, null, null, 1],
  [2_419_200, '{YYYY}-{MM}', null, null, null, null, null, null, 1],
  [86_400, '{MM}-{DD}', '\n{YYYY}', null, null, null, null, null, 1],
  [60, '{HH}:{mm}', '\n{YYYY}-{MM}-{DD}', null, '\n{MM}-{DD}', null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', '\n{YYYY}-{MM}-{DD}', null, '\n{MM}-{DD}', null, null, null, 1],
  [0.001, ':{ss}.{fff}', '\n{YYYY}-{MM}-{DD} {HH}:{mm}', null, '\n{MM}-{DD} {HH}:{mm}', null, '\n{HH}:{mm}', null, 1],
];

/** Canvas does not support light-dark(): colours are read as they are computed for an element. */
function resolveColours(host: HTMLElement): (name: string) => string {
  const probe = document.createElement('i');
  probe.hidden = true;
  host.append(probe);
  const found = new Map<string, string>();
  return (name) => {
    if (!found.has(name)) {
      probe.style.color = `var(${name})`;
      found.set(name, getComputedStyle(probe).color);
    }
    return found.get(name)!;
  };
}

function wholeNumbers(low: number, high: number): number[] {
  const step = Math.max(1, Math.ceil((high - low) / 12));
  const all: number[] = [];
  for (let at = Math.ceil(low); at <= high; at += step) all.push(at);
  return all;
}
