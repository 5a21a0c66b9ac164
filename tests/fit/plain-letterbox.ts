import type { Rgba8Frame } from '../../src/machine/vision/frame/frame-formats.ts';
import type { Tensor } from '../../src/machine/vision/tensor/tensor.ts';

export interface PlainLetterbox {
  readonly border: number;
  readonly at: 'centre' | 'top-left';
  readonly bgr: boolean;
}

/**
 * Letterboxes a frame: bytes [1,3,H,W], bilinear without antialiasing. Also returns the function that converts boxes (ymin,
 * xmin, ymax, xmax as fractions of the input) back to the frame.
 */
export function letterboxPlainly(
  { widthPx, heightPx, samples }: Rgba8Frame,
  size: { readonly widthPx: number; readonly heightPx: number },
  { border, at, bgr }: PlainLetterbox,
): { readonly tensor: Tensor; readonly ontoFrame: (box: readonly number[]) => number[] } {
  const scale = Math.min(size.widthPx / widthPx, size.heightPx / heightPx);
  const round = at === 'centre' ? Math.round : Math.floor;
  const covered = { widthPx: round(widthPx * scale), heightPx: round(heightPx * scale) };
  const before = (free: number) => (at === 'centre' ? Math.round(free / 2 - 0.1) : 0);
  const [left, top] = [before(size.widthPx - covered.widthPx), before(size.heightPx - covered.heightPx)];
  const plane = size.widthPx * size.heightPx;
  const data = new Float32Array(3 * plane).fill(border);
  const clamp = (value: number, count: number) => Math.min(count - 1, Math.max(0, value));
  for (let y = 0; y < covered.heightPx; y++) {
    const sourceY = ((y + 0.5) * heightPx) / covered.heightPx - 0.5;
    const y0 = Math.floor(sourceY);
    for (let x = 0; x < covered.widthPx; x++) {
      const sourceX = ((x + 0.5) * widthPx) / covered.widthPx - 0.5;
      const x0 = Math.floor(sourceX);
      for (let k = 0; k < 3; k++) {
        const sample = (dx: number, dy: number) =>
          samples[4 * (clamp(y0 + dy, heightPx) * widthPx + clamp(x0 + dx, widthPx)) + (bgr ? 2 - k : k)]!;
        const row = (dy: number) => sample(0, dy) + (sample(1, dy) - sample(0, dy)) * (sourceX - x0);
        data[k * plane + (top + y) * size.widthPx + left + x] = row(0) + (row(1) - row(0)) * (sourceY - y0);
      }
    }
  }
  return {
    tensor: { dtype: 'float32', shape: [1, 3, size.heightPx, size.widthPx], data },
    ontoFrame: (box) =>
      box.map((value, k) => {
        const px =
          k % 2 === 0
            ? (value * size.heightPx - top) / (scale * heightPx)
            : (value * size.widthPx - left) / (scale * widthPx);
        return Math.min(1, Math.max(0, px));
      }),
  };
}
