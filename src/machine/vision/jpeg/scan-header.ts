import type { FrameHeader, JpegComponent } from './frame-header.ts';
import { damaged } from './jpeg-error.ts';

/** What SOS says (ITU-T T.81 B.2.3). */
export interface ScanHeader {
  readonly components: readonly ScanComponent[];
  /** first and last coefficient of this scan in zig-zag order: 0 and 63 unless the JPEG is progressive */
  readonly first: number;
  readonly last: number;
  /** a progressive scan that adds one bit to the coefficients of earlier scans */
  readonly isRefinement: boolean;
  /** how many bits of each coefficient are left to later scans */
  readonly bitsLeft: number;
}

export interface ScanComponent {
  /** index of the component in the frame header */
  readonly index: number;
  readonly component: JpegComponent;
  readonly dcTable: number;
  readonly acTable: number;
}

/** T.81 B.2.3: blocks in a minimum coded unit of several components. */
const mostBlocks = 10;

/** @throws JpegError for whatever Go 1.25's image/jpeg refuses here */
export function readScanHeader(segment: Uint8Array, frame: FrameHeader): ScanHeader {
  const count = segment[0] ?? 0;
  if (count < 1 || count > frame.components.length || segment.length !== 4 + 2 * count) {
    throw damaged(
      `The JPEG has a scan header of ${segment.length} bytes for ${count} of its ${frame.components.length} components.`,
    );
  }
  const components: ScanComponent[] = [];
  for (let i = 0; i < count; i++) components.push(readScanComponent(segment, 1 + 2 * i, frame, components));
  const blocks = components.reduce((sum, { component }) => sum + component.blocksWide * component.blocksHigh, 0);
  if (frame.components.length > 1 && blocks > mostBlocks) {
    throw damaged(`The JPEG has ${blocks} blocks in a unit of a scan; ${mostBlocks} is the most.`);
  }
  // In a sequential JPEG these bytes are fixed, and the machine's decoder ignores them.
  if (!frame.isProgressive) return { components, first: 0, last: 63, isRefinement: false, bitsLeft: 0 };
  return { components, ...readProgression(segment.subarray(-3), count) };
}

function readScanComponent(
  segment: Uint8Array,
  at: number,
  frame: FrameHeader,
  before: readonly ScanComponent[],
): ScanComponent {
  const [id, tables] = segment.subarray(at, at + 2) as unknown as [number, number];
  const index = frame.components.findIndex((component) => component.id === id);
  const component = frame.components[index];
  if (!component) throw damaged(`The JPEG has a scan of a component ${id}, which its frame header does not name.`);
  if (before.some((other) => other.index === index)) throw damaged(`The JPEG names component ${id} twice in a scan.`);
  const [dcTable, acTable] = [tables >> 4, tables & 15];
  const last = frame.isBaseline ? 1 : 3;
  if (dcTable > last || acTable > last) {
    throw damaged(`The JPEG has a scan with the Huffman tables ${dcTable} and ${acTable}; ${last} is the last.`);
  }
  return { index, component, dcTable, acTable };
}

function readProgression(bytes: Uint8Array, components: number): Omit<ScanHeader, 'components'> {
  const [first, last, approximation] = bytes as unknown as [number, number, number];
  const [bitsBefore, bitsLeft] = [approximation >> 4, approximation & 15];
  if ((first === 0 && last !== 0) || first > last || last > 63) {
    throw damaged(`The JPEG has a scan of the coefficients ${first} to ${last}.`);
  }
  if (first !== 0 && components !== 1) {
    throw damaged(
      `The JPEG has a scan of the coefficients ${first} to ${last} of ${components} components; 1 is the most.`,
    );
  }
  if (bitsBefore !== 0 && bitsBefore !== bitsLeft + 1) {
    throw damaged(`The JPEG has a scan that refines bit ${bitsBefore} to bit ${bitsLeft}.`);
  }
  return { first, last, isRefinement: bitsBefore !== 0, bitsLeft };
}
