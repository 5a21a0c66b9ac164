import { shapedPriors } from './plain-priors.ts';

const root = Math.sqrt;

/** A square, one of the mean size, and the ratios lying and standing; `least` and `most` in pixels. */
export function shapes(least: number, most: number, ratios: readonly number[], isMeanLast = false) {
  const mean = [[root(least * most), root(least * most)] as const];
  const others = ratios.flatMap((ratio) => [
    [least * root(ratio), least / root(ratio)] as const,
    [least / root(ratio), least * root(ratio)] as const,
  ]);
  return [[least, least] as const, ...(isMeanLast ? [...others, ...mean] : [...mean, ...others])];
}

/** Cells along a side of the grids of an SSD of MobileNet, for 300 pixels. */
export const mobileCells = [19, 10, 5, 3, 2, 1];

/** The shapes of the finest grid: no mean size, and one ratio. */
export const three = (least: number) => [[least, least] as const, ...shapes(60, 60, [2]).slice(2)];
/** TensorFlow's SSD of MobileNet. */
export const tensorflow = shapedPriors(
  mobileCells.map((count, k) => ({
    cells: count,
    stepPx: 300 / count,
    shapes: k === 0 ? three(30) : shapes(60 + 45 * k, Math.min(105 + 45 * k, 300), [2, 3], true),
  })),
);
