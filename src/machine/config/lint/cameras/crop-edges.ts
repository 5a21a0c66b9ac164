import type { Written } from '../rule/rule.ts';
import { numberOf, transformSteps, written, type WrittenStep } from '../rule/rule.ts';

export const cropEdges = ['x_min_px', 'y_min_px', 'x_max_px', 'y_max_px'] as const;
export type CropEdge = (typeof cropEdges)[number];

/** A crop step whose four edges are numbers, as the machine reads them. */
export interface CropWindow {
  readonly step: WrittenStep;
  readonly edges: Readonly<Record<CropEdge, number>>;
  readonly written: Readonly<Record<CropEdge, Written | undefined>>;
}

/** All crop steps that can be read; the others have a wrong type and a finding of their own. */
export function cropWindows(context: Parameters<typeof transformSteps>[0]): readonly CropWindow[] {
  return transformSteps(context).flatMap((step): CropWindow[] => {
    if (step.type !== 'crop') return [];
    const read = cropEdges.map((edge) => written(step.attributes, step.attributesPath, edge));
    const [xMin, yMin, xMax, yMax] = read.map(numberOf);
    if (xMin === undefined || yMin === undefined || xMax === undefined || yMax === undefined) return [];
    return [
      {
        step,
        edges: { x_min_px: xMin, y_min_px: yMin, x_max_px: xMax, y_max_px: yMax },
        written: { x_min_px: read[0], y_min_px: read[1], x_max_px: read[2], y_max_px: read[3] },
      },
    ];
  });
}

/** Absolute pixels, by the machine's rule: either max above 1. */
export function isAbsolute({ edges }: CropWindow): boolean {
  return edges.x_max_px > 1 || edges.y_max_px > 1;
}
