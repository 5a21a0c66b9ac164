import type { FrameHeader, JpegComponent } from './frame-header.ts';
import { inverseCosineTransform } from './inverse-cosine-transform.ts';
import type { QuantizationTables } from './quantization-tables.ts';
import { zigZag } from './zig-zag.ts';

/** The stored samples of one component: whole blocks, which reach beyond the picture's right and bottom edges. */
export interface Plane {
  readonly samples: Uint8ClampedArray;
  /** samples from one row to the next */
  readonly stride: number;
}

/** A plane of zeros: blocks that no scan covers stay 0. */
export function emptyPlane({ unitsWide, unitsHigh }: FrameHeader, { blocksWide, blocksHigh }: JpegComponent): Plane {
  const stride = 8 * blocksWide * unitsWide;
  return { samples: new Uint8ClampedArray(stride * 8 * blocksHigh * unitsHigh), stride };
}

/** Room for the coefficients that a progressive JPEG's scans bring a bit at a time: 64 a block, blocks row by row. */
export function emptyCoefficients(
  { unitsWide, unitsHigh }: FrameHeader,
  { blocksWide, blocksHigh }: JpegComponent,
): Int32Array {
  return new Int32Array(64 * blocksWide * unitsWide * blocksHigh * unitsHigh);
}

/**
 * Computes the samples of a progressive JPEG from its coefficients once all scans were read; overwrites the
 * coefficients.
 */
export function fillPlane(
  { samples, stride }: Plane,
  coefficients: Int32Array,
  { quantizationTable }: JpegComponent,
  tables: QuantizationTables,
): void {
  const factors = new Int32Array(64);
  for (let place = 0; place < 64; place++) factors[zigZag[place]!] = tables[quantizationTable]![place]!;
  const blocksInRow = stride / 8;
  for (let from = 0, block = 0; from < coefficients.length; from += 64, block++) {
    for (let i = 0; i < 64; i++) coefficients[from + i] = Math.imul(coefficients[from + i]!, factors[i]!);
    const column = block % blocksInRow;
    const row = (block - column) / blocksInRow;
    inverseCosineTransform(coefficients, from, samples, 8 * (row * stride + column), stride);
  }
}
