import type { NormalizedBox } from '../results/normalized-box.ts';
import { traceToSource, type Point, type TracedBox, type TracedStage } from './trace.ts';

/**
 * Finds the upright box on the source that encloses a box of the last stage, clipped at the source's edges.
 * @param box in pixels of the last stage
 * @param stages the source first, then the picture after each step
 * @returns the box in fractions of the source (0..1); null: it lies wholly outside
 * @example
 * const stages = [{ step: null, widthPx: 8, heightPx: 4 }];
 * uprightOnSource({ xMin: 2, yMin: 0, xMax: 4, yMax: 9 }, stages); // => { xMinNormalized: 0.25, yMinNormalized: 0, xMaxNormalized: 0.5, yMaxNormalized: 1 }
 */
export function uprightOnSource(box: TracedBox, stages: readonly TracedStage[]): NormalizedBox | null {
  const [first] = stages;
  if (!first) return null;
  const source = first.uncut ?? first;
  const corners = cornersOnSource(box, stages);
  const x = within(corners.map((corner) => corner.x / source.widthPx));
  const y = within(corners.map((corner) => corner.y / source.heightPx));
  if (!x || !y) return null;
  return { xMinNormalized: x.min, yMinNormalized: y.min, xMaxNormalized: x.max, yMaxNormalized: y.max };
}

/**
 * Traces the corners of a box of the last stage back to the source. Tracing uses pixel centres, a box uses pixel edges:
 * they are half a pixel apart.
 * @param box in pixels of the last stage, by its edges
 * @param stages the source first, then the picture after each step
 * @returns its corners in pixels of the source, not clipped
 * @example
 * cornersOnSource({ xMin: 0, yMin: 0, xMax: 8, yMax: 4 }, [{ step: null, widthPx: 8, heightPx: 4 }])[2]; // => { x: 8, y: 4 }
 */
export function cornersOnSource(
  { xMin, yMin, xMax, yMax }: TracedBox,
  stages: readonly TracedStage[],
): readonly Point[] {
  const centres = { xMin: xMin - 0.5, yMin: yMin - 0.5, xMax: xMax - 0.5, yMax: yMax - 0.5 };
  return traceToSource(centres, stages).map(({ x, y }) => ({ x: x + 0.5, y: y + 0.5 }));
}

function within(fractions: readonly number[]): { readonly min: number; readonly max: number } | null {
  const [min, max] = [Math.min(...fractions), Math.max(...fractions)];
  return max >= 0 && min <= 1 ? { min: Math.max(0, min), max: Math.min(1, max) } : null;
}
