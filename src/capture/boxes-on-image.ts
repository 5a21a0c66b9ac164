import type { Classification, Detection } from '../vision/detections.ts';
import { traceToSource, type TracedStage } from '../vision/trace.ts';
import type { ImageBox, ImageClass } from './capture.ts';

/**
 * Detections as boxes on the source image: traced back through every step, upright around what a free rotation tilted, cut
 * off at the image's edges. What lies wholly outside is left out.
 */
export function boxesOnImage(
  detections: readonly Detection[],
  way: readonly TracedStage[],
  idOf: (row: number) => string,
): ImageBox[] {
  const [source] = way;
  if (!source) return [];
  return detections.flatMap((detection, row) => {
    const edges = edgesOnSource(detection, way);
    const [xMin, xMax] = within(edges.map(({ x }) => x / source.widthPx));
    const [yMin, yMax] = within(edges.map(({ y }) => y / source.heightPx));
    if (xMin === null || yMin === null) return [];
    const corners = { xMinNormalized: xMin, yMinNormalized: yMin, xMaxNormalized: xMax, yMaxNormalized: yMax };
    return [
      { id: idOf(row), label: labelText(detection.label), ...corners, confidence: confidenceOf(detection.score) },
    ];
  });
}

export function classesOfImage(
  classifications: readonly Classification[],
  idOf: (row: number) => string,
): ImageClass[] {
  return classifications.map(({ label, score }, row) => ({
    id: idOf(row),
    label: labelText(label),
    confidence: confidenceOf(score),
  }));
}

// Tracing counts from pixel centres, a box from edges: half a pixel apart.
function edgesOnSource({ xMin, yMin, xMax, yMax }: Detection, way: readonly TracedStage[]) {
  const centres = { xMin: xMin - 0.5, yMin: yMin - 0.5, xMax: xMax - 0.5, yMax: yMax - 0.5 };
  return traceToSource(centres, way).map(({ x, y }) => ({ x: x + 0.5, y: y + 0.5 }));
}

function within(fractions: readonly number[]): [number, number] | [null, null] {
  const [min, max] = [Math.min(...fractions), Math.max(...fractions)];
  if (!(max >= 0 && min <= 1)) return [null, null];
  return [Math.max(0, min), Math.min(1, max)];
}

/** The data service takes no empty label. */
function labelText(label: string): string {
  return label.trim() === '' ? 'unlabelled' : label;
}

/** A score that is no number says nothing of how sure the model is. */
function confidenceOf(score: number): number | null {
  return Number.isNaN(score) ? null : Math.min(1, Math.max(0, score));
}
