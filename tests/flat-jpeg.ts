/** JPEGs for tests with known samples: each block of 8×8 samples has one constant level. */

export interface FlatJpeg {
  readonly widthPx?: number;
  readonly heightPx?: number;
  readonly components?: readonly FlatComponent[];
  /** the frame header's marker; default SOF0, baseline */
  readonly frameMarker?: number;
  /** minimum coded units from one restart marker to the next */
  readonly restartInterval?: number;
  /** segments before the frame header */
  readonly segments?: readonly (readonly [marker: number, body: readonly number[]])[];
}

export interface FlatComponent {
  readonly id: number;
  /** sampling factors, default 1 × 1 */
  readonly blocksWide?: number;
  readonly blocksHigh?: number;
  /** level 0..255 of the block in this column and row of blocks */
  readonly level: (column: number, row: number) => number;
}

export const jfif: readonly [number, readonly number[]] = [0xe0, [...ascii('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]];

/** Adobe's APP14 segment; transform 0: RGB or CMYK, 1: YCbCr, 2: YCCK. */
export function adobe(transform: number): readonly [number, readonly number[]] {
  return [0xee, [...ascii('Adobe'), 0, 100, 0, 0, 0, 0, transform]];
}

export function ascii(text: string): number[] {
  return [...text].map((letter) => letter.charCodeAt(0));
}

/** Encodes a JPEG. Default: one component of 16×8 samples with level 128. */
export function flatJpeg({
  widthPx = 16,
  heightPx = 8,
  components = [{ id: 1, level: () => 128 }],
  frameMarker = 0xc0,
  restartInterval = 0,
  segments = [],
}: FlatJpeg = {}): Uint8Array<ArrayBuffer> {
  const sampled = components.map((component) => ({ blocksWide: 1, blocksHigh: 1, ...component }));
  const size = [heightPx >> 8, heightPx & 255, widthPx >> 8, widthPx & 255];
  const frame = sampled.flatMap(({ id, blocksWide, blocksHigh }) => [id, (blocksWide << 4) | blocksHigh, 0]);
  return Uint8Array.from([
    0xff,
    0xd8,
    ...segments.flatMap(([marker, body]) => segment(marker, body)),
    // Quantization factors of 8 cancel the transform's scale, so the DC coefficient is the level minus 128.
    ...segment(0xdb, [0, ...Array.from({ length: 64 }, () => 8)]),
    ...segment(frameMarker, [8, ...size, components.length, ...frame]),
    // Huffman tables: DC differences of 0 to 11 bits have four-bit codes; the end-of-block code is a single bit.
    ...segment(0xc4, [0x00, 0, 0, 0, 12, ...zeros(12), ...Array.from({ length: 12 }, (_, bits) => bits)]),
    ...segment(0xc4, [0x10, 1, ...zeros(15), 0]),
    ...(restartInterval > 0 ? segment(0xdd, [restartInterval >> 8, restartInterval & 255]) : []),
    ...segment(0xda, [components.length, ...sampled.flatMap(({ id }) => [id, 0]), 0, 63, 0]),
    ...scan(sampled, widthPx, heightPx, restartInterval),
    0xff,
    0xd9,
  ]);
}

export function segment(marker: number, body: readonly number[]): number[] {
  return [0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255, ...body];
}

function scan(components: readonly Required<FlatComponent>[], widthPx: number, heightPx: number, interval: number) {
  const first = components.length === 1 ? { blocksWide: 1, blocksHigh: 1 } : components[0]!;
  const unitsWide = Math.ceil(widthPx / (8 * first.blocksWide));
  const units = unitsWide * Math.ceil(heightPx / (8 * first.blocksHigh));
  const bytes: number[] = [];
  let bits = '';
  let before = components.map(() => 128);
  for (let unit = 0; unit < units; unit++) {
    if (interval > 0 && unit > 0 && unit % interval === 0) {
      bytes.push(...packed(bits), 0xff, 0xd0 + ((unit / interval - 1) % 8));
      bits = '';
      before = components.map(() => 128);
    }
    for (const [k, { blocksWide, blocksHigh, level }] of components.entries()) {
      const [wide, high] = components.length === 1 ? [1, 1] : [blocksWide, blocksHigh];
      for (let i = 0; i < wide * high; i++) {
        const column = (unit % unitsWide) * wide + (i % wide);
        const now = level(column, Math.trunc(unit / unitsWide) * high + Math.trunc(i / wide));
        bits += `${difference(now - before[k]!)}0`;
        before[k] = now;
      }
    }
  }
  return [...bytes, ...packed(bits)];
}

/** The DC code and bits of a difference. A negative one is written as value − 1 with the highest bit 0 (ITU-T T.81 F.1.2.1). */
function difference(value: number): string {
  const size = value === 0 ? 0 : Math.floor(Math.log2(Math.abs(value))) + 1;
  const code = size.toString(2).padStart(4, '0');
  if (size === 0) return code;
  return code + (value > 0 ? value : value + 2 ** size - 1).toString(2).padStart(size, '0');
}

/** Packs bits into bytes, padded with ones. A byte FF is followed by 00. */
function packed(bits: string): number[] {
  const bytes = bits.match(/.{1,8}/g)?.map((byte) => Number.parseInt(byte.padEnd(8, '1'), 2)) ?? [];
  return bytes.flatMap((byte) => (byte === 255 ? [255, 0] : [byte]));
}

function zeros(count: number): number[] {
  return Array.from({ length: count }, () => 0);
}
