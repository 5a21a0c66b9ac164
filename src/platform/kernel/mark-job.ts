import { type PixelTest, wordsOfRow } from '../../machine/vision/face/colors.ts';
import type { Places } from './kernel-source.ts';

const testBytes = 35;
/** Bytes that stay in a processor's nearest memory while a strip is copied, marked and copied back. */
const stripBytes = 1 << 14;
/** The kernel works on 32 pixels at a time, and reads so far past a row. */
const readPastBytes = 128;

/** Where a strip of rows, its test and its marks lie in the kernel's memory, in bytes. */
export function layOutMarkJob(widthPx: number, { place }: Places) {
  const rows = Math.max(1, Math.floor(stripBytes / (4 * widthPx)));
  return {
    rows,
    test: place(testBytes),
    pixels: place(4 * widthPx * rows + readPastBytes),
    marks: place(4 * wordsOfRow(widthPx) * rows),
  };
}

/** Writes a test. The order of fields is that of assembly/mark-pixels.ts. */
export function writePixelTest(buffer: ArrayBuffer, test: PixelTest, at: number): void {
  const { bounds, lowestValue, lowestSaturation, isInverted } = test;
  const fractions = new Int16Array(buffer, at, 16);
  for (let part = 0; part < 4; part++) {
    const [over, under, overPast, underPast] = bounds.subarray(4 * part);
    fractions.set([under!, -over!], 2 * part);
    fractions.set([underPast!, -overPast!], 8 + 2 * part);
  }
  new Uint8Array(buffer, at + 32, 3).set([lowestValue, lowestSaturation, isInverted ? 1 : 0]);
}
