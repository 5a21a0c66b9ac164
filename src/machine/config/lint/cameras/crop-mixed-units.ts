import { setAt } from '../../json/edit-json.ts';
import { cropEdges, cropWindows, isAbsolute } from './crop-edges.ts';
import { rewriteFix, type Rule } from '../rule/rule.ts';

/** Fractions beside pixels: once either max is above 1 all four are pixels, cut to whole ones. */
export const cropMixedUnits: Rule = {
  code: 'crop-mixed-units',
  *check(context) {
    for (const crop of cropWindows(context)) {
      const { edges, step, written } = crop;
      if (!isAbsolute(crop)) continue;
      const fractions = cropEdges.filter(
        (edge) => (edges[edge] > 0 && edges[edge] < 1) || (edge.includes('max') && edges[edge] === 1),
      );
      if (fractions.length === 0) continue;
      const whole = (edge: (typeof cropEdges)[number]): number => Math.trunc(edges[edge]);
      const leftOver = whole('x_min_px') < whole('x_max_px') && whole('y_min_px') < whole('y_max_px');
      const truncated = fractions.filter((edge) => edges[edge] < 1);
      const list = fractions.map((edge) => `${edge} ${edges[edge]}`).join(', ');
      const fix =
        leftOver && truncated.length === fractions.length
          ? rewriteFix(context, 'Write the whole pixels that the machine takes', (text) =>
              truncated.reduce((result, edge) => setAt(result, written[edge]?.path ?? [], whole(edge)), text),
            )
          : undefined;
      yield {
        path: written[fractions[0] ?? 'x_min_px']?.path ?? step.attributesPath,
        severity: leftOver ? 'warning' : 'error',
        message: leftOver
          ? `One max is above 1, so all edges are pixels: ${list} are not fractions of the frame here.`
          : `One max is above 1, so all edges are pixels, and nothing is left of the frame: ${list}.`,
        ...(fix && { fix }),
      };
    }
  },
};
