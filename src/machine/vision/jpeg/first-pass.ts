import type { EntropyReader } from './entropy-reader.ts';
import type { HuffmanTable } from './huffman-tables.ts';
import { unsupported } from './jpeg-error.ts';

/** How one component's blocks are read in one scan. */
export interface BlockReading {
  readonly dcTable: HuffmanTable;
  readonly acTable: HuffmanTable;
  /** first and last coefficient in zig-zag order */
  readonly first: number;
  readonly last: number;
  /** factors of the coefficients, in zig-zag order */
  readonly factors: Int32Array;
  /** the DC coefficient of the block before, without its factor; 0 at the start and after a restart marker */
  prediction: number;
}

/** How many further blocks have only zeros in the band of this scan (ITU-T T.81 G.1.2.2). */
export interface EndOfBand {
  blocks: number;
}

/**
 * Reads the coefficients of a block in a sequential scan, or in a progressive scan that is no refinement (T.81
 * F.2.2, G.1.2). Sequential scans have no runs of empty bands, but the machine's decoder accepts them there as
 * well.
 * @param block 64 coefficients row by row at `at`; only the non-zero ones are written
 */
export function readCoefficients(
  entropy: EntropyReader,
  reading: BlockReading,
  band: EndOfBand,
  block: Int32Array,
  at: number,
): void {
  const { acTable, factors, last } = reading;
  let place = reading.first;
  if (place === 0) {
    block[at] = Math.imul(readDc(entropy, reading), factors[0]!);
    place = 1;
  }
  if (place > last) return;
  if (band.blocks > 0) {
    band.blocks--;
    return;
  }
  const runBits = entropy.coefficients(acTable, factors, place, last, block, at);
  if (runBits >= 0) band.blocks = readRun(entropy, runBits) - 1;
}

function readDc(entropy: EntropyReader, reading: BlockReading): number {
  const bits = entropy.symbol(reading.dcTable);
  if (bits > 16) throw unsupported(`This JPEG has a brightness step of ${bits} bits; 16 is the most.`);
  return (reading.prediction = (reading.prediction + entropy.signed(bits)) | 0);
}

/**
 * The length of a run of blocks, this one included: 2 to the power of `bits`, plus the value of the next `bits`
 * bits.
 */
export function readRun(entropy: EntropyReader, bits: number): number {
  return bits === 0 ? 1 : (1 << bits) | entropy.unsigned(bits);
}
