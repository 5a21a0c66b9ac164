import { zlibSync } from 'fflate';
import { chunkBytes, fourBytes, headerChunk, lastChunk, pngOf, type PngChunk, type PngShape } from './png-chunks.ts';
import { randomSource } from './random-frame.ts';

/** Seeded random PNGs of every kind, most of them with a defect. */
export interface SeededPng {
  /** the defect or unusual feature; '' = none */
  readonly oddity: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The parts of a file before it is encoded. An oddity changes some of them. */
interface Draft {
  shape: PngShape;
  /** the filtered rows, to be compressed */
  raw: Uint8Array;
  /** compresses the rows */
  pack: (raw: Uint8Array) => Uint8Array;
  /** splits the compressed bytes into IDAT chunks */
  split: (packed: Uint8Array) => Uint8Array[];
  /** the body of PLTE and tRNS; null = none */
  palette: Uint8Array | null;
  transparency: Uint8Array | null;
  /** orders all chunks */
  order: (chunks: PngChunk[]) => PngChunk[];
  /** changes the bytes of the finished file */
  finish: (bytes: Uint8Array) => Uint8Array;
}

/** Seeded random numbers and choices. */
class Dice {
  readonly next: () => number;
  constructor(seed: number) {
    this.next = randomSource(seed);
  }
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }
  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
  chance(share: number): boolean {
    return this.next() < share;
  }
  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.below(256));
  }
}

const kinds = [
  ...[1, 2, 4, 8, 16].map((bitDepth) => [0, bitDepth] as const),
  ...[1, 2, 4, 8].map((bitDepth) => [3, bitDepth] as const),
  ...[2, 4, 6].flatMap((colourType) => [8, 16].map((bitDepth) => [colourType, bitDepth] as const)),
];
const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** The PNG number `index` of a seed. The index determines the pixel format and the oddity, so that all of them occur. */
export function seededPng(seed: number, index: number): SeededPng {
  const dice = new Dice(seed * 100_003 + index);
  const [colourType, bitDepth] = kinds[index % kinds.length]!;
  const side = (): number => (dice.chance(0.3) ? 1 + dice.below(4) : 1 + dice.below(24));
  const shape = { widthPx: side(), heightPx: side(), bitDepth, colourType, interlaced: dice.below(2) };
  const draft: Draft = {
    shape,
    raw: rawRows(shape, dice),
    pack: (raw) => zlibSync(raw, { level: dice.pick([0, 1, 6, 9] as const) }),
    split: (packed) => [packed],
    palette: paletteOf(colourType, bitDepth, dice),
    transparency: transparencyOf(colourType, bitDepth, dice),
    order: (chunks) => chunks,
    finish: (bytes) => bytes,
  };
  const names = Object.keys(oddities);
  const oddity = index % 4 === 0 ? '' : names[Math.floor(index / kinds.length) % names.length]!;
  oddities[oddity]?.(draft, dice);
  return { oddity, bytes: built(draft) };
}

/** Rows with random filters, and with many samples at the ends of the range. */
function rawRows({ widthPx, heightPx, bitDepth, colourType, interlaced }: PngShape, dice: Dice): Uint8Array {
  const pixelBits = bitDepth * (channelsOf[colourType] ?? 1);
  const rows: number[] = [];
  for (const [x, y, columnStep, rowStep] of interlaced ? adam7 : [[0, 0, 1, 1] as const]) {
    const columns = Math.ceil((widthPx - x) / columnStep);
    for (let row = y; row < heightPx && columns > 0; row += rowStep) {
      rows.push(dice.below(5));
      for (let i = 0; i < Math.ceil((columns * pixelBits) / 8); i++) {
        rows.push(dice.chance(0.4) ? dice.pick([0, 0, 1, 2, 255]) : dice.below(256));
      }
    }
  }
  return Uint8Array.from(rows);
}

function paletteOf(colourType: number, bitDepth: number, dice: Dice): Uint8Array | null {
  if (colourType === 3) return dice.bytes(3 * (1 + dice.below(2 ** bitDepth)));
  const isColour = colourType === 2 || colourType === 6;
  return isColour && dice.chance(0.4) ? dice.bytes(3 * (1 + dice.below(256))) : null;
}

function transparencyOf(colourType: number, bitDepth: number, dice: Dice): Uint8Array | null {
  if (!dice.chance(0.5)) return null;
  if (colourType === 3) return dice.bytes(1 + dice.below(dice.chance(0.5) ? 2 ** bitDepth : 256));
  if (colourType !== 0 && colourType !== 2) return null;
  // Values of tRNS: some occur as samples, some are above their range.
  const sample = (): number[] => [dice.chance(0.3) ? dice.below(256) : 0, dice.pick([0, 1, 2, 3, 9, 15, 19, 255, 129])];
  return Uint8Array.from(colourType === 0 ? sample() : [...sample(), ...sample(), ...sample()]);
}

const emptyChunk = (type: string): PngChunk => [type, new Uint8Array(0)];

const oddities: Readonly<Record<string, (draft: Draft, dice: Dice) => void>> = {
  'ancillary chunks': (draft, dice) => {
    const types = ['gAMA', 'sBIT', 'iCCP', 'cHRM', 'tEXt', 'acTL', 'fcTL', 'fdAT', 'eXIf', 'ABCD', 'bKGD', 'hIST'];
    draft.order = (chunks) => {
      for (let i = 0; i < 4; i++) {
        const size = dice.chance(0.2) ? 4096 + dice.below(5000) : dice.below(30);
        chunks.splice(1 + dice.below(chunks.length - 1), 0, [dice.pick(types), dice.bytes(size)]);
      }
      return chunks;
    };
  },
  'many IDAT': (draft, dice) => {
    draft.split = (packed) => {
      const parts: Uint8Array[] = [];
      for (let at = 0; at < packed.length;) {
        const count = dice.chance(0.3) ? 0 : 1 + dice.below(dice.chance(0.5) ? 3 : 40);
        parts.push(packed.subarray(at, at + count));
        at += count;
      }
      return parts;
    };
  },
  'empty and idle IDAT': (draft, dice) => {
    draft.split = (packed) => {
      const idle = dice.chance(0.5) ? [dice.bytes(dice.below(20))] : [];
      return [...(dice.chance(0.5) ? [new Uint8Array(0)] : []), packed, new Uint8Array(0), ...idle];
    };
    draft.order = (chunks) => {
      if (dice.chance(0.4)) chunks.splice(-1, 0, ['tEXt', dice.bytes(3)], ['IDAT', dice.bytes(7)]);
      return chunks;
    };
  },
  'bytes after the stream': (draft, dice) => {
    const { pack } = draft;
    draft.pack = (raw) =>
      Uint8Array.from([...pack(raw), ...dice.bytes(dice.pick([1, 30, 3000, 4000, 4090, 4096, 5000, 9000]))]);
    const text = dice.bytes(dice.below(9000));
    draft.order = (chunks) => {
      if (dice.chance(0.5)) chunks.splice(1, 0, ['tEXt', text]);
      return chunks;
    };
    if (dice.chance(0.4)) draft.split = (packed) => [packed.subarray(0, 9), packed.subarray(9)];
  },
  'stored pixels, and bytes after the stream': (draft, dice) => {
    const { shape } = draft;
    draft.shape = { ...shape, widthPx: 60 + dice.below(200), heightPx: 30 + dice.below(60) };
    draft.raw = rawRows(draft.shape, dice);
    const sizes = [100, 5000, 40_000].slice(0, 1 + dice.below(3));
    draft.pack = (raw) =>
      Uint8Array.from([...storedStream(raw, () => 1 + dice.below(dice.pick(sizes))), ...dice.bytes(dice.below(6000))]);
    if (dice.chance(0.4)) draft.split = (packed) => [packed.subarray(0, 9000), packed.subarray(9000)];
  },
  'too few pixels': (draft, dice) => {
    draft.raw = draft.raw.subarray(0, Math.max(0, draft.raw.length - 1 - dice.below(6)));
  },
  'too many pixels': (draft, dice) => {
    draft.raw = Uint8Array.from([...draft.raw, ...dice.bytes(1 + dice.below(9))]);
  },
  'a filter that there is not': (draft, dice) => {
    draft.raw[0] = 5 + dice.below(251);
  },
  'bytes changed before the checksum': (draft, dice) => {
    const { pack } = draft;
    draft.pack = (raw) => {
      const packed = pack(raw).slice();
      for (let i = 0; i < 1 + dice.below(2); i++) packed[dice.below(packed.length)]! ^= 1 << dice.below(8);
      return packed;
    };
  },
  'a stream cut or lengthened in its midst': (draft, dice) => {
    const { pack } = draft;
    draft.pack = (raw) => {
      const packed = pack(raw);
      const at = dice.below(packed.length);
      return dice.chance(0.5)
        ? packed.subarray(0, at)
        : Uint8Array.from([...packed.subarray(0, at), dice.below(256), ...packed.subarray(at)]);
    };
  },
  'another head of the stream': (draft, dice) => {
    const { pack } = draft;
    draft.pack = (raw) => {
      const packed = pack(raw);
      const [method, withDictionary] = [dice.pick([0x78, 0x08, 0x18, 0x68, 0x88, 0x77, 0x79]), dice.chance(0.4)];
      const flags = dice.pick([0, 0x40, 0xc0]) | (withDictionary ? 0x20 : 0);
      const check = dice.chance(0.15) ? 1 : 31 - ((256 * method + flags) % 31);
      const dictionary = withDictionary ? [0, 0, 0, dice.pick([1, 1, 2])] : [];
      return Uint8Array.from([method, flags + (check % 31), ...dictionary, ...packed.subarray(2)]);
    };
  },
  'another checksum of the stream': (draft, dice) => {
    const { pack } = draft;
    draft.pack = (raw) => {
      const packed = pack(raw).slice();
      packed[packed.length - 1 - dice.below(4)]! ^= 1 << dice.below(8);
      return packed;
    };
  },
  'codes that do not fit': (draft, dice) => {
    const { pack } = draft;
    // The first bytes of a block with its own codes say how many of which length there are.
    draft.shape = { ...draft.shape, widthPx: 40, heightPx: 30 };
    draft.raw = rawRows(draft.shape, dice);
    draft.pack = (raw) => {
      const packed = pack(raw).slice();
      packed[2 + dice.below(60)]! ^= 1 << dice.below(8);
      return packed;
    };
  },
  'colour type and depth': (draft, dice) => {
    draft.shape = { ...draft.shape, bitDepth: dice.pick([0, 1, 2, 3, 4, 5, 8, 16, 32]), colourType: dice.below(8) };
    draft.raw = rawRows(draft.shape, dice);
  },
  'another header': (draft, dice) => {
    draft.order = ([first, ...rest]) => {
      const header = first![1].slice();
      const at = dice.pick([0, 3, 4, 7, 10, 11, 12]);
      header[at] = dice.pick([0, 1, 2, 3, 128, 255]);
      return [['IHDR', dice.chance(0.2) ? header.subarray(0, 12) : header], ...rest];
    };
  },
  'another palette': (draft, dice) => {
    draft.palette = dice.bytes(dice.pick([0, 1, 2, 3, 6, 9, 12, 48, 51, 300, 768, 769, 771]));
  },
  'no palette': (draft) => {
    draft.palette = null;
  },
  'another transparency': (draft, dice) => {
    draft.transparency = dice.bytes(dice.pick([0, 1, 2, 3, 5, 6, 7, 16, 255, 256, 257, 300]));
  },
  'chunks in another order': (draft, dice) => {
    draft.order = (chunks) => {
      const [from, to] = [dice.below(chunks.length), dice.below(chunks.length)];
      chunks.splice(to, 0, ...chunks.splice(from, 1));
      return chunks;
    };
  },
  'a chunk twice': (draft, dice) => {
    draft.transparency ??= draft.shape.colourType === 0 ? Uint8Array.of(0, 1) : null;
    draft.order = (chunks) => {
      chunks.splice(dice.below(chunks.length + 1), 0, dice.pick(chunks));
      return chunks;
    };
  },
  'a chunk missing': (draft, dice) => {
    draft.order = (chunks) => {
      chunks.splice(dice.below(chunks.length), 1);
      return chunks;
    };
  },
  'an empty chunk': (draft, dice) => {
    draft.order = (chunks) => {
      const type = dice.pick(['PLTE', 'tRNS', 'IDAT', 'IEND', 'IHDR', 'tEXt']);
      chunks.splice(dice.below(chunks.length), 0, emptyChunk(type));
      return chunks;
    };
  },
  'a wrong checksum of a chunk': (draft, dice) => {
    draft.order = (chunks) => {
      chunks.splice(1 + dice.below(chunks.length - 1), 0, ['tEXt', dice.bytes(5)]);
      return chunks;
    };
    draft.finish = (bytes) => {
      const starts = chunkStarts(bytes);
      const at = starts[dice.below(starts.length)]!;
      bytes[at + 8 + new DataView(bytes.buffer).getUint32(at) + dice.below(4)]! ^= 1 << dice.below(8);
      return bytes;
    };
  },
  'a body in the last chunk': (draft, dice) => {
    draft.order = (chunks) => [...chunks.slice(0, -1), ['IEND', dice.bytes(1 + dice.below(3))]];
  },
  'bytes after the last chunk': (draft, dice) => {
    draft.finish = (bytes) =>
      Uint8Array.from([...bytes, ...(dice.chance(0.5) ? chunkBytes(lastChunk) : dice.bytes(40))]);
  },
  'cut off': (draft, dice) => {
    draft.finish = (bytes) =>
      bytes.subarray(0, dice.chance(0.3) ? bytes.length - 1 - dice.below(16) : 8 + dice.below(bytes.length - 8));
  },
  'a length beyond the end': (draft, dice) => {
    draft.finish = (bytes) => {
      const starts = chunkStarts(bytes);
      const at = starts[dice.below(starts.length)]!;
      bytes.set(fourBytes(dice.pick([0x7fffffff, 0x80000000, 0xffffffff, 1, 0, 100])), at);
      return bytes;
    };
  },
};

function built(draft: Draft): Uint8Array<ArrayBuffer> {
  const packed = draft.pack(draft.raw);
  const chunks: PngChunk[] = [
    headerChunk(draft.shape),
    ...(draft.palette ? [['PLTE', draft.palette] as const] : []),
    ...(draft.transparency ? [['tRNS', draft.transparency] as const] : []),
    ...draft.split(packed).map((part) => ['IDAT', part] as const),
    lastChunk,
  ];
  return Uint8Array.from(draft.finish(pngOf(draft.order(chunks))));
}

function chunkStarts(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer);
  const starts: number[] = [];
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) starts.push(at);
  return starts;
}

/** A zlib stream of uncompressed blocks. */
function storedStream(raw: Uint8Array, nextSize: () => number): number[] {
  const stream = [0x78, 1];
  for (let at = 0; at < raw.length;) {
    const size = Math.min(nextSize(), raw.length - at, 65_535);
    stream.push(at + size === raw.length ? 1 : 0, size & 255, size >> 8, ~size & 255, (~size >> 8) & 255);
    for (const byte of raw.subarray(at, at + size)) stream.push(byte);
    at += size;
  }
  stream.push(...zlibSync(raw, { level: 0 }).subarray(-4));
  return stream;
}
