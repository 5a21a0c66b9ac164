import { boxesIn, boxOn, type Box } from './boxes.ts';
import { Mp4Error } from './mp4-error.ts';

/** What a decoder has to know of a track before its first sample. */
export interface Mp4Codec {
  /** the codec's name in WebCodecs (RFC 6381): "avc1.64001f" */
  readonly codec: string;
  /** the decoder's configuration record; absent: the samples say all of it */
  readonly description?: Uint8Array<ArrayBuffer>;
  readonly codedWidth: number;
  readonly codedHeight: number;
  /** width of a pixel over its height, as two whole numbers; absent: it is square, or the samples say it */
  readonly pixelAspect?: readonly [width: number, height: number];
}

const hex = (value: number, digits = 2): string => value.toString(16).padStart(digits, '0');

/** Bytes of a VisualSampleEntry before the boxes inside it (14496-12, 12.1.3). */
const entryBytes = 78;

/** Reads the first sample entry of a video track. @throws Mp4Error for a codec that is not known here */
export function readCodec(view: DataView, stsd: Box): Mp4Codec {
  const entry = boxesIn(view, { start: stsd.start + 8, end: stsd.end }).next().value;
  if (!entry || entry.end - entry.start < entryBytes) throw new Mp4Error('its track says no codec');
  const inside = { start: entry.start + entryBytes, end: entry.end };
  const record = boxOn(view, inside, recordNames[entry.type] ?? '');
  if (!record) throw new Mp4Error(`its codec is "${entry.type}", which is not read here`);
  const bytes = new Uint8Array(view.buffer as ArrayBuffer, view.byteOffset + record.start, record.end - record.start);
  const pasp = boxOn(view, inside, 'pasp');
  return {
    codec: nameOf(entry.type, bytes),
    // VP9 and AV1 carry their configuration in the samples.
    ...(/^(avc|hvc|hev)/.test(entry.type) && { description: bytes.slice() }),
    codedWidth: view.getUint16(entry.start + 24),
    codedHeight: view.getUint16(entry.start + 26),
    ...(pasp && { pixelAspect: [view.getUint32(pasp.start), view.getUint32(pasp.start + 4)] as const }),
  };
}

const recordNames: Readonly<Record<string, string>> = {
  avc1: 'avcC',
  avc3: 'avcC',
  hvc1: 'hvcC',
  hev1: 'hvcC',
  av01: 'av1C',
  vp08: 'vpcC',
  vp09: 'vpcC',
};

function nameOf(entry: string, record: Uint8Array): string {
  const byte = (at: number): number => record[at] ?? 0;
  switch (recordNames[entry]) {
    case 'avcC': // 14496-15, 5.3.3.1: profile, compatibility, level
      return `${entry}.${hex(byte(1))}${hex(byte(2))}${hex(byte(3))}`;
    case 'hvcC': {
      // 14496-15, annex E.3: profile space and number, compatibility flags from the last bit on, tier and level, constraints
      const flags = ((byte(2) << 24) | (byte(3) << 16) | (byte(4) << 8) | byte(5)) >>> 0;
      const space = ['', 'A', 'B', 'C'][byte(1) >> 6]!;
      const tier = byte(1) & 0x20 ? 'H' : 'L';
      const constraints = Array.from(record.subarray(6, 12), (value) => value.toString(16));
      while (constraints.at(-1) === '0') constraints.pop();
      const compatibility = reversedBits(flags).toString(16);
      return [entry, `${space}${byte(1) & 0x1f}`, compatibility, `${tier}${byte(12)}`, ...constraints].join('.');
    }
    case 'av1C': {
      // AV1 in ISOBMFF, 2.3.3
      const depth = byte(2) & 0x40 ? (byte(2) & 0x20 ? 12 : 10) : 8;
      const level = String(byte(1) & 0x1f).padStart(2, '0');
      return `av01.${byte(1) >> 5}.${level}${byte(2) & 0x80 ? 'H' : 'M'}.${String(depth).padStart(2, '0')}`;
    }
    default: {
      if (entry === 'vp08') return 'vp8';
      // VP Codec ISO Media File Format Binding: version and flags, then profile, level, bit depth
      const two = (value: number): string => String(value).padStart(2, '0');
      return `vp09.${two(byte(4))}.${two(byte(5))}.${two(byte(6) >> 4)}`;
    }
  }
}

function reversedBits(value: number): number {
  let reversed = 0;
  for (let bit = 0; bit < 32; bit++) reversed = ((reversed << 1) | ((value >>> bit) & 1)) >>> 0;
  return reversed;
}
