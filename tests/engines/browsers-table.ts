import { secondWays, type Capability } from './capabilities.ts';
import type { EngineFigures } from './figures.ts';

export interface MeasuredEngine {
  readonly name: string;
  readonly version: string;
  readonly capabilities: Readonly<Record<Capability, boolean>>;
  readonly figures: EngineFigures;
}

const figureRows: Readonly<Record<keyof EngineFigures, readonly [title: string, unit: string]>> = {
  firstBoxesColdS: ['First boxes, first visit', 's'],
  firstBoxesWarmS: ['First boxes, later visits', 's'],
  runtimeAloneS: ['Runtime and detector alone, in an empty page', 's'],
  inferenceMs: ['Inference of the built-in detector (WASM)', 'ms'],
  thresholdMs: ['Threshold moved until the boxes are changed', 'ms'],
  frameMs: ['One changed text until it is drawn, alone', 'ms'],
  videoFramesPerS: ['Frames a second of a video of 12.5', ''],
  importOf40S: ['Import of 40 photographs', 's'],
};

/** The two tables of docs/browsers.md: figures, each over those of the first engine, and capabilities with the page's second ways. */
export function browsersTable(
  engines: readonly MeasuredEngine[],
  { day, cores, load }: { readonly day: string; readonly cores: number; readonly load: number },
): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const names = engines.map(({ name, version }) => `${name} ${version}`);
  const rule = (columns: number) => `|${'---|'.repeat(columns)}`;
  const figures = Object.entries(figureRows).map(([key, [title, unit]]) => {
    const values = engines.map((engine) => engine.figures[key as keyof EngineFigures]);
    return row([title, ...values.map((value, at) => figureCell(value, at === 0 ? null : values[0]!, unit))]);
  });
  const ways = Object.entries(secondWays).map(([capability, way]) =>
    row([capability, ...engines.map((engine) => (engine.capabilities[capability as Capability] ? '✓' : '–')), way]),
  );
  return [
    `Measured on ${day}, on ${cores} cores without a graphics card, at a load average of ${load.toFixed(0)}.`,
    '',
    row(['Figure', ...names]),
    rule(names.length + 1),
    ...figures,
    '',
    row(['The browser has', ...names, 'Without it, the page']),
    rule(names.length + 2),
    ...ways,
    '',
  ].join('\n');
}

function figureCell(value: number | null, first: number | null, unit: string): string {
  if (value === null || Number.isNaN(value)) return 'not measured';
  const shown = `${value >= 10 ? value.toFixed(0) : value.toFixed(1)}${unit && ` ${unit}`}`;
  return first ? `${shown} (${(value / first).toFixed(1)} ×)` : shown;
}
