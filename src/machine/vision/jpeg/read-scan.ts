import type { ByteReader } from './byte-reader.ts';
import { EntropyReader } from './entropy-reader.ts';
import { readCoefficients, type BlockReading, type EndOfBand } from './first-pass.ts';
import type { FrameHeader } from './frame-header.ts';
import { undefinedHuffmanTable, type HuffmanTables } from './huffman-tables.ts';
import { inverseCosineTransform } from './inverse-cosine-transform.ts';
import { damaged } from './jpeg-error.ts';
import { markers } from './markers.ts';
import type { Plane } from './planes.ts';
import type { QuantizationTables } from './quantization-tables.ts';
import { refineCoefficients } from './refinement.ts';
import type { ScanComponent, ScanHeader } from './scan-header.ts';

/** What a scan is decoded with, and the planes or coefficients that it is decoded into. */
export interface ScanTarget {
  readonly frame: FrameHeader;
  readonly huffman: HuffmanTables;
  readonly quantization: QuantizationTables;
  /** minimum coded units from one restart marker to the next; 0 without */
  readonly restartInterval: number;
  /** by component */
  readonly planes: readonly Plane[];
  /** by component, of a progressive JPEG: its scans end here, not in the planes */
  readonly coefficients: readonly Int32Array[];
  /**
   * The machine's decoder carries this run over from one scan to the next; in a well-formed file each run ends in
   * its scan.
   */
  readonly band: EndOfBand;
}

type ReadBlock = (entropy: EntropyReader, column: number, row: number) => void;

/** Decodes a scan's entropy-coded data (ITU-T T.81 A.2, E.2.3, E.2.4) and leaves the reader behind it. */
export function readScan(reader: ByteReader, header: ScanHeader, target: ScanTarget): void {
  const { frame, restartInterval, band } = target;
  const components = header.components.map((component) => componentScan(component, header, target));
  const readUnit = components.length === 1 ? rasterUnits(components[0]!, frame) : interleavedUnits(components);
  const units = frame.unitsWide * frame.unitsHigh;
  let entropy = new EntropyReader(reader);
  for (let unit = 0, restarts = 0; unit < units;) {
    readUnit(entropy, unit % frame.unitsWide, Math.trunc(unit / frame.unitsWide));
    unit++;
    if (restartInterval === 0 || unit % restartInterval !== 0 || unit === units) continue;
    entropy.release();
    findRestart(reader, markers.firstRestart + (restarts++ % 8));
    entropy = new EntropyReader(reader);
    for (const { reading } of components) reading.prediction = 0;
    band.blocks = 0;
  }
  entropy.release();
}

interface ComponentScan {
  readonly blocksWide: number;
  readonly blocksHigh: number;
  readonly reading: BlockReading;
  readonly readBlock: ReadBlock;
}

function componentScan({ index, component, ...tables }: ScanComponent, header: ScanHeader, target: ScanTarget) {
  const { frame, huffman, quantization, band } = target;
  const reading: BlockReading = {
    dcTable: huffman.dc[tables.dcTable] ?? undefinedHuffmanTable,
    acTable: huffman.ac[tables.acTable] ?? undefinedHuffmanTable,
    first: header.first,
    last: header.last,
    factors: frame.isProgressive
      ? new Int32Array(64).fill(1 << header.bitsLeft)
      : quantization[component.quantizationTable]!,
    prediction: 0,
  };
  const { blocksWide, blocksHigh } = component;
  const readBlock = frame.isProgressive
    ? intoCoefficients(reading, band, target.coefficients[index]!, blocksWide * frame.unitsWide, header.isRefinement)
    : intoPlane(reading, band, target.planes[index]!);
  return { blocksWide, blocksHigh, reading, readBlock };
}

function intoPlane(reading: BlockReading, band: EndOfBand, { samples, stride }: Plane): ReadBlock {
  const block = new Int32Array(64);
  return (entropy, column, row) => {
    block.fill(0);
    readCoefficients(entropy, reading, band, block, 0);
    inverseCosineTransform(block, 0, samples, 8 * (row * stride + column), stride);
  };
}

function intoCoefficients(
  reading: BlockReading,
  band: EndOfBand,
  coefficients: Int32Array,
  blocksInRow: number,
  isRefinement: boolean,
): ReadBlock {
  const read = isRefinement ? refineCoefficients : readCoefficients;
  return (entropy, column, row) => read(entropy, reading, band, coefficients, 64 * (row * blocksInRow + column));
}

/** Several components: a unit holds a small rectangle of blocks of each. */
function interleavedUnits(components: readonly ComponentScan[]): ReadBlock {
  return (entropy, unitColumn, unitRow) => {
    for (const { blocksWide, blocksHigh, readBlock } of components) {
      for (let y = 0; y < blocksHigh; y++) {
        for (let x = 0; x < blocksWide; x++) readBlock(entropy, unitColumn * blocksWide + x, unitRow * blocksHigh + y);
      }
    }
  };
}

/**
 * One component: its blocks row by row, without those beyond the picture. As in the machine's decoder, restart intervals
 * still count as many blocks as an interleaved unit has, and "beyond" is told by full-size pixels, also for halved chroma.
 */
function rasterUnits({ blocksWide, blocksHigh, readBlock }: ComponentScan, frame: FrameHeader): ReadBlock {
  const blocksInRow = blocksWide * frame.unitsWide;
  let column = 0;
  let row = 0;
  return (entropy) => {
    for (let i = 0; i < blocksWide * blocksHigh; i++) {
      if (8 * column < frame.widthPx && 8 * row < frame.heightPx) readBlock(entropy, column, row);
      if (++column < blocksInRow) continue;
      column = 0;
      row++;
    }
  };
}

/**
 * Skips everything before the restart marker; throws at any other marker, since the position in the picture is then
 * unknown.
 */
function findRestart(reader: ByteReader, expected: number): void {
  for (;;) {
    let byte = reader.byte();
    while (byte !== 0xff) byte = reader.byte();
    while (byte === 0xff) byte = reader.byte();
    if (byte === expected) return;
    if (byte !== 0) {
      throw damaged(
        `The JPEG has the marker FF${byte.toString(16).toUpperCase()} at byte ${reader.at - 2} where restart marker ${expected & 7} belongs. It is damaged: fetch it again.`,
      );
    }
  }
}
