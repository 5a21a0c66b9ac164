import { expect } from 'vitest';
import { openSession } from '../../src/platform/node/open-session.ts';
import type { Tensor } from '../../src/machine/vision/tensor/tensor.ts';
import { proportional, type PlainDetection } from './plain-detections.ts';

/** Runs a fitted model once, by default on a picture of zeros. */
export async function runFitted(
  model: Uint8Array<ArrayBuffer>,
  image?: Tensor,
): Promise<Record<string, { readonly shape: readonly number[]; readonly values: number[] }>> {
  const session = await openSession(model);
  try {
    const outputs = await session.run({ image: image ?? blank(session.inputs[0]!) });
    return Object.fromEntries(
      Object.entries(outputs).map(([name, { shape, data }]) => [name, { shape, values: Array.from(data, Number) }]),
    );
  } finally {
    await session.release();
  }
}

function blank({ dtype, shape }: { readonly dtype: string; readonly shape: readonly number[] }): Tensor {
  const sizes = shape.map((size) => (size === -1 ? 5 : size));
  const count = sizes.reduce((a, b) => a * b, 1);
  return dtype === 'uint8'
    ? { dtype: 'uint8', shape: sizes, data: new Uint8Array(count) }
    : { dtype: 'float32', shape: sizes, data: new Float32Array(count) };
}

/** The detections of a fitted detector, without rows of score 0. */
export function rowsOf(outputs: Awaited<ReturnType<typeof runFitted>>): PlainDetection[] {
  const { location, category, score } = outputs;
  return score!.values.flatMap((value, row) =>
    value > 0
      ? [{ score: value, category: category!.values[row]!, box: location!.values.slice(4 * row, 4 * row + 4) }]
      : [],
  );
}

/** Expects the same detections in the same order: boxes within half a pixel of the input, scores within 1e-4. */
export function expectSameRows(
  found: readonly PlainDetection[],
  wanted: readonly PlainDetection[],
  { widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number },
): void {
  expect(found.map(({ category }) => category)).toEqual(wanted.map(({ category }) => category));
  wanted.forEach(({ box, score }, row) => {
    expect(Math.abs(found[row]!.score - score)).toBeLessThan(1e-4);
    box.forEach((value, k) => {
      const sizePx = k % 2 === 0 ? heightPx : widthPx;
      expect(Math.abs(found[row]!.box[k]! - value) * sizePx).toBeLessThan(0.5);
    });
  });
}

/** A candidate of the reference with its key points, in pixels of the input. */
export interface PlainPoints {
  /** xmin, ymin, xmax, ymax */
  readonly corners: readonly [number, number, number, number];
  /** x, y and how sure each is */
  readonly points: readonly (readonly [number, number, number])[];
}

/**
 * Expects of each row of a fitted detector the key points of the candidate that has its box, within 0.01. Returns how many
 * rows there were.
 */
export function expectPoints(
  outputs: Awaited<ReturnType<typeof runFitted>>,
  candidates: readonly PlainPoints[],
  size: { readonly widthPx: number; readonly heightPx: number },
): number {
  const { values, shape } = outputs['key_points']!;
  const [, , count, each] = shape as [number, number, number, number];
  const boxes = candidates.map((candidate) => proportional({ ...candidate, category: 0, score: 0 }, size).box);
  const rows = rowsOf(outputs);
  for (const [row, { box }] of rows.entries()) {
    const apart = boxes.map((other) => Math.max(...other.map((value, k) => Math.abs(value - box[k]!))));
    const least = Math.min(...apart);
    const found = Array.from({ length: count }, (_, k) => {
      const [x, y, sure] = values.slice(each * (count * row + k)) as [number, number, number];
      return [x * size.widthPx, y * size.heightPx, sure];
    });
    // Boxes that cover the whole picture are the same once they are clipped to it.
    const errors = candidates
      .filter((_, k) => apart[k]! < least + 1e-5)
      .map(({ points }) =>
        Math.max(...points.flatMap((point, k) => point.map((value, at) => Math.abs(value - found[k]![at]!)))),
      );
    expect(Math.min(...errors)).toBeLessThan(0.01);
  }
  return rows.length;
}
