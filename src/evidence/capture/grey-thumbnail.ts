import type { Frame } from '../../machine/vision/face/frames.ts';

const cells = 16;
/** Samples on each side of a cell: enough to see movement, and fast. */
const samplesASide = 4;
/** Number of pixels that are read on each side of the frame. */
export const greyGlancePx = cells * samplesASide;

/** Grey levels of a 16×16 picture of the frame, 0..255, by which two frames are compared. */
export function greyThumbnail({ format, widthPx, heightPx, samples }: Frame): Uint8Array<ArrayBuffer> {
  const sums = new Uint16Array(cells * cells);
  const shift = format === 'rgba16' ? 8 : 0;
  const lumaAt = (i: number): number =>
    format === 'ycbcr8'
      ? samples[i]!
      : (77 * samples[i]! + 150 * samples[i + 1]! + 29 * samples[i + 2]!) >> (8 + shift);
  const steps = greyGlancePx;
  const columns = Array.from({ length: steps }, (_, at) => 4 * Math.floor(((at + 0.5) * widthPx) / steps));
  for (let row = 0; row < steps; row++) {
    const rowStart = 4 * widthPx * Math.floor(((row + 0.5) * heightPx) / steps);
    const cellRow = cells * Math.floor(row / samplesASide);
    for (let column = 0; column < steps; column++) {
      sums[cellRow + Math.floor(column / samplesASide)]! += lumaAt(rowStart + columns[column]!);
    }
  }
  return Uint8Array.from(sums, (sum) => sum / samplesASide ** 2);
}
