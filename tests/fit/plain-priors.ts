import { everyClassPlainly } from './plain-ssd.ts';
import type { PlainDetection, PlainLimits } from './plain-detections.ts';

/** A prior box: centre x, centre y, width, height in pixels of the input. */
export type PlainPrior = readonly [number, number, number, number];

/** Square priors around the centres of cells, as in face detectors. */
export function squarePriors(
  { widthPx, heightPx }: Pick<PlainLimits, 'widthPx' | 'heightPx'>,
  levels: readonly { readonly stride: number; readonly sides: readonly number[] }[],
  cellsAlong: (cells: number) => number,
): PlainPrior[] {
  const priors: PlainPrior[] = [];
  for (const { stride, sides } of levels)
    for (let row = 0; row < cellsAlong(heightPx / stride); row++)
      for (let column = 0; column < cellsAlong(widthPx / stride); column++)
        for (const side of sides) priors.push([(column + 0.5) * stride, (row + 0.5) * stride, side, side]);
  return priors;
}

/** The priors of one grid of a square input, with their shapes [width, height] in pixels. */
export interface PlainGridOfPriors {
  readonly cells: number;
  readonly stepPx: number;
  readonly shapes: readonly (readonly [number, number])[];
}

export function shapedPriors(grids: readonly PlainGridOfPriors[]): PlainPrior[] {
  const priors: PlainPrior[] = [];
  for (const { cells, stepPx, shapes } of grids)
    for (let row = 0; row < cells; row++)
      for (let column = 0; column < cells; column++)
        for (const [width, height] of shapes)
          priors.push([(column + 0.5) * stepPx, (row + 0.5) * stepPx, width, height]);
  return priors;
}

/** Clips centre and size to the input. */
export function clippedPriors(
  priors: readonly PlainPrior[],
  { widthPx, heightPx }: Pick<PlainLimits, 'widthPx' | 'heightPx'>,
): PlainPrior[] {
  const within = (value: number, most: number) => Math.min(Math.max(value, 0), most);
  return priors.map(([x, y, width, height]) => [
    within(x, widthPx),
    within(y, heightPx),
    within(width, widthPx),
    within(height, heightPx),
  ]);
}

/** Decodes offsets dx, dy, dw, dh relative to priors into corners in pixels. */
export function boxesOfOffsets(
  priors: readonly PlainPrior[],
  offsets: readonly (readonly number[])[],
  [ofCentre, ofSize]: readonly [number, number],
): [number, number, number, number][] {
  return priors.map(([x, y, width, height], k) => {
    const [dx, dy, dw, dh] = offsets[k] as [number, number, number, number];
    const centreX = x + dx * ofCentre * width;
    const centreY = y + dy * ofCentre * height;
    const halfWidth = (width * Math.exp(dw * ofSize)) / 2;
    const halfHeight = (height * Math.exp(dh * ofSize)) / 2;
    return [centreX - halfWidth, centreY - halfHeight, centreX + halfWidth, centreY + halfHeight];
  });
}

/** Detections from boxes [N] and class scores [N][C], with suppression for each class. */
export function scoredPlainly(
  boxes: readonly (readonly [number, number, number, number])[],
  scores: readonly (readonly number[])[],
  limits: PlainLimits,
): PlainDetection[] {
  return everyClassPlainly(
    boxes.map((corners, k) => ({ corners, scores: scores[k]! })),
    limits,
  );
}

/** Rows of random numbers that float32 represents exactly. */
export function randomRows(random: () => number, count: number, columns: number, from: number, to: number): number[][] {
  return Array.from({ length: count }, () =>
    Array.from({ length: columns }, () => Math.fround(from + random() * (to - from))),
  );
}

/** Decodes the five key points of offsets, which follow the first `from` columns: they move by sizes of the prior. */
export function pointsOfOffsets(
  priors: readonly PlainPrior[],
  offsets: readonly (readonly number[])[],
  ofCentre: number,
  from: number,
) {
  return priors.map(([x, y, width, height], k) =>
    [0, 2, 4, 6, 8].map((at) => {
      const [dx, dy] = offsets[k]!.slice(from + at) as [number, number];
      return [x + dx * ofCentre * width, y + dy * ofCentre * height, 1] as const;
    }),
  );
}
