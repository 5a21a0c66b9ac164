import { bigEndian16 } from './byte-reader.ts';
import { damaged, unsupported, type JpegError } from './jpeg-error.ts';
import { markers } from './markers.ts';

/** What SOF0, SOF1 or SOF2 says (ITU-T T.81 B.2.2). */
export interface FrameHeader {
  readonly widthPx: number;
  readonly heightPx: number;
  /** baseline allows two Huffman tables of each kind, not four */
  readonly isBaseline: boolean;
  readonly isProgressive: boolean;
  /** one (gray), three or four */
  readonly components: readonly JpegComponent[];
  /** minimum coded units in a row and in a column: each is one block, or as many as the sampling factors say */
  readonly unitsWide: number;
  readonly unitsHigh: number;
}

export interface JpegComponent {
  readonly id: number;
  /** number of this component's blocks in a minimum coded unit, horizontally and vertically: 1, 2 or 4 */
  readonly blocksWide: number;
  readonly blocksHigh: number;
  readonly quantizationTable: number;
}

const kinds = [1, 3, 4];
const lastTable = 3;

/** @throws JpegError for whatever Go 1.25's image/jpeg refuses here */
export function readFrameHeader(segment: Uint8Array, marker: number): FrameHeader {
  const count = (segment.length - 6) / 3;
  if (!kinds.includes(count)) {
    throw unsupported(`This JPEG has a frame header of ${segment.length} bytes, for no 1, 3 or 4 components.`);
  }
  if (segment[0] !== 8) throw unsupported(`This JPEG has ${segment[0]} bits a sample; only 8 can be read.`);
  if (segment[5] !== count) {
    throw damaged(`The JPEG's frame header says ${segment[5]} components and has room for ${count}.`);
  }
  const components: JpegComponent[] = [];
  for (let at = 6; at < segment.length; at += 3) components.push(readComponent(segment, at, count, components));
  const [widthPx, heightPx] = [bigEndian16(segment, 3), bigEndian16(segment, 1)];
  return {
    widthPx,
    heightPx,
    components,
    isBaseline: marker === markers.baselineFrame,
    isProgressive: marker === markers.progressiveFrame,
    unitsWide: Math.ceil(widthPx / (8 * components[0]!.blocksWide)),
    unitsHigh: Math.ceil(heightPx / (8 * components[0]!.blocksHigh)),
  };
}

function readComponent(
  segment: Uint8Array,
  at: number,
  count: number,
  before: readonly JpegComponent[],
): JpegComponent {
  const [id, factors, quantizationTable] = segment.subarray(at, at + 3) as unknown as [number, number, number];
  if (before.some((component) => component.id === id)) throw damaged(`The JPEG has two components with the id ${id}.`);
  if (quantizationTable > lastTable)
    throw damaged(`The JPEG names quantization table ${quantizationTable}; 3 is the last.`);
  const [blocksWide, blocksHigh] = [factors >> 4, factors & 15];
  if (!isPossible(blocksWide) || !isPossible(blocksHigh)) {
    throw damaged(`The JPEG has a component sampled ${blocksWide}×${blocksHigh}; 1 to 4 can be.`);
  }
  if (blocksWide === 3 || blocksHigh === 3) throw sampling(factors);
  // A scan of one component is not interleaved, whatever its sampling factors are (T.81 A.2.2).
  if (count === 1) return { id, blocksWide: 1, blocksHigh: 1, quantizationTable };
  const component = { id, blocksWide, blocksHigh, quantizationTable };
  if (!(count === 3 ? fitsColour(component, before) : fitsInks(component, before))) throw sampling(factors);
  return component;
}

function isPossible(factor: number): boolean {
  return factor >= 1 && factor <= 4;
}

/** 4:4:4, 4:4:0, 4:2:2, 4:2:0, 4:1:1 and 4:1:0, both chroma components alike. */
function fitsColour({ blocksWide, blocksHigh }: JpegComponent, [luma, chroma]: readonly JpegComponent[]): boolean {
  if (!luma) return blocksHigh !== 4;
  if (!chroma) return luma.blocksWide % blocksWide === 0 && luma.blocksHigh % blocksHigh === 0;
  return chroma.blocksWide === blocksWide && chroma.blocksHigh === blocksHigh;
}

/** Where there are four components, the second and third have full or half size on both axes; the fourth is like the first. */
function fitsInks({ blocksWide, blocksHigh }: JpegComponent, before: readonly JpegComponent[]): boolean {
  if (blocksWide !== blocksHigh) return false;
  if (before.length === 0) return blocksWide <= 2;
  return blocksWide === (before.length === 3 ? before[0]!.blocksWide : 1);
}

function sampling(factors: number): JpegError {
  return unsupported(
    `This JPEG has a component sampled ${factors >> 4}×${factors & 15}, which the machine does not decode.`,
  );
}
