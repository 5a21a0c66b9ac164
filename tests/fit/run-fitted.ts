import { expect } from 'vitest';
import { openSession } from '../../src/platform/node/open-session.ts';
import type { Tensor } from '../../src/vision/tensor.ts';
import type { PlainDetection } from './plain-detections.ts';

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
