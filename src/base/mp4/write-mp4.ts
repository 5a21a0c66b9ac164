import { joinBytes } from '../streams/join-bytes.ts';

/** A video track to write. */
export interface WrittenTrack {
  /** the codec's name in WebCodecs: "avc1.…" or "vp09.…" */
  readonly codec: string;
  /** the decoder's configuration record: H.264 needs one, VP9 has none */
  readonly description?: Uint8Array<ArrayBuffer>;
  readonly widthPx: number;
  readonly heightPx: number;
}

export interface WrittenSample {
  readonly sizeBytes: number;
  /** when it is shown, in µs, rising */
  readonly timeUs: number;
  readonly isKey: boolean;
}

/** Units of time a second, fine enough for µs of half an hour in 32 bits and for every usual frame rate. */
const timescale = 90_000;

/**
 * Writes what surrounds the samples of a video in an MP4 file, when all of them are known (14496-12): the file is head, samples one after
 * the other, tail. Samples are shown in the order in which they are decoded.
 * @param track its codec, H.264 or VP9, and size
 * @param samples in their order
 * @param endUs when the last one ends, in µs
 * @returns the bytes before and after the samples
 * @throws RangeError for another codec, or for H.264 without its record
 * @example
 * const track = { codec: 'vp09.00.10.08', widthPx: 64, heightPx: 48 };
 * writeMp4(track, [{ sizeBytes: 5, timeUs: 0, isKey: true }], 40000).head.length; // => 40
 */
export function writeMp4(
  track: WrittenTrack,
  samples: readonly WrittenSample[],
  endUs: number,
): { readonly head: Uint8Array<ArrayBuffer>; readonly tail: Uint8Array<ArrayBuffer> } {
  const ftyp = box('ftyp', text('isom'), u32(512), text('isomiso2mp41'));
  const mdatBytes = samples.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  // A size of 64 bits, for a file of any length.
  const head = joinBytes([ftyp, u32(1), text('mdat'), u64(16 + mdatBytes)]);
  const units = (us: number): number => Math.round((us * timescale) / 1e6);
  const starts = [...samples.map(({ timeUs }) => units(timeUs)), units(endUs)];
  const firstAt = starts[0]!;
  const lasts = starts.at(-1)! - firstAt;
  const durations = runsOf(samples.map((_, at) => Math.max(1, starts[at + 1]! - starts[at]!)));
  const offsets = new DataView(new ArrayBuffer(8 * samples.length));
  let offset = head.length;
  for (const [at, { sizeBytes }] of samples.entries()) {
    offsets.setBigUint64(8 * at, BigInt(offset));
    offset += sizeBytes;
  }
  const keys = samples.flatMap(({ isKey }, at) => (isKey ? [at + 1] : []));
  const stbl = box(
    'stbl',
    full('stsd', 0, u32(1), entryOf(track)),
    full('stts', 0, u32(durations.length), words(durations.flat())),
    full('stsc', 0, u32(1), u32(1), u32(1), u32(1)),
    full('stsz', 0, u32(0), u32(samples.length), words(samples.map(({ sizeBytes }) => sizeBytes))),
    full('co64', 0, u32(samples.length), new Uint8Array(offsets.buffer)),
    full('stss', 0, u32(keys.length), words(keys)),
  );
  const minf = box(
    'minf',
    full('vmhd', 1, new Uint8Array(8)),
    box('dinf', full('dref', 0, u32(1), full('url ', 1))),
    stbl,
  );
  const mdia = box(
    'mdia',
    full('mdhd', 0, u32(0), u32(0), u32(timescale), u32(lasts), u16(0x55c4), u16(0)), // "und"
    full('hdlr', 0, u32(0), text('vide'), new Uint8Array(12), text('Sightglass\0')),
    minf,
  );
  const size = [u32(track.widthPx * 65_536), u32(track.heightPx * 65_536)];
  const tkhd = full('tkhd', 3, u32(0), u32(0), u32(1), u32(0), u32(lasts), new Uint8Array(16), upright, ...size);
  const rates = [u32(0x10000), u16(0x100), new Uint8Array(10)];
  const mvhd = full(
    'mvhd',
    0,
    u32(0),
    u32(0),
    u32(timescale),
    u32(lasts),
    ...rates,
    upright,
    new Uint8Array(24),
    u32(2),
  );
  return { head, tail: box('moov', mvhd, box('trak', tkhd, mdia)) };
}

/** 14496-12, 12.1.3 */
function entryOf({ codec, description, widthPx, heightPx }: WrittenTrack): Uint8Array {
  const start = joinBytes([new Uint8Array(6), u16(1), new Uint8Array(16), u16(widthPx), u16(heightPx)]);
  const resolution = u32(0x48_0000);
  const end = joinBytes([resolution, resolution, u32(0), u16(1), new Uint8Array(32), u16(24), u16(0xffff)]);
  if (/^avc[13]\./.test(codec) && description) return box('avc1', start, end, box('avcC', description));
  const [, profile, level, depth] = /^vp09\.(\d+)\.(\d+)\.(\d+)/.exec(codec) ?? [];
  if (!depth) throw new RangeError(`"${codec}" is not written into MP4 here: only H.264 with its record, and VP9.`);
  // Chroma 4:2:0 beside the luma, limited range, BT.709.
  const record = Uint8Array.of(Number(profile), Number(level), (Number(depth) << 4) | (1 << 1), 1, 1, 1, 0, 0);
  return box('vp09', start, end, full('vpcC', 0x1000000, record));
}

/** How many samples in a row have which value. */
function runsOf(values: readonly number[]): readonly (readonly [count: number, value: number])[] {
  const runs: [number, number][] = [];
  for (const value of values) {
    const last = runs.at(-1);
    if (last?.[1] === value) last[0]++;
    else runs.push([1, value]);
  }
  return runs;
}

const u16 = (value: number): Uint8Array => Uint8Array.of(value >> 8, value);
const u32 = (value: number): Uint8Array => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
const u64 = (value: number): Uint8Array => joinBytes([u32(Math.floor(value / 2 ** 32)), u32(value % 2 ** 32)]);
const text = (letters: string): Uint8Array => Uint8Array.from(letters, (letter) => letter.charCodeAt(0));

/** One array: ten hours of video have a million values. */
function words(values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  for (const [at, value] of values.entries()) view.setUint32(4 * at, value);
  return new Uint8Array(view.buffer);
}

/** The matrix that turns nothing. */
const upright = joinBytes([65_536, 0, 0, 0, 65_536, 0, 0, 0, 0x4000_0000].map(u32));

const box = (type: string, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
  joinBytes([u32(8 + parts.reduce((sum, { length }) => sum + length, 0)), text(type), ...parts]);

/** A box with version (the highest byte of `flags`) and flags. */
const full = (type: string, flags: number, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
  box(type, u32(flags), ...parts);
