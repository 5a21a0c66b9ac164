import { normalizedBytes } from '../../machine/vision/face/feeding.ts';

/** How the kernel makes float32 of a channel's bytes: v · high + v · low − mean, over stdDev where it divides, each step rounded. */
export interface Normalization {
  readonly high: number;
  readonly low: number;
  readonly mean: number;
  readonly stdDev: number;
  readonly divides: boolean;
}

const { fround } = Math;

/** 1/255 in two parts: a byte times the first is exact in float32 (16 + 8 bits), so the sum is rounded once and equals v/255. */
const high = new Float32Array(Uint32Array.of(0x3b808000).buffer)[0]!;
const low = fround(1 / 255 - high);

/** What the kernel makes of a byte, to the bit. */
export function normalizedByte(byte: number, { high, low, mean, stdDev, divides }: Normalization): number {
  const centred = fround(fround(fround(byte * high) + fround(byte * low)) - mean);
  return divides ? fround(centred / stdDev) : centred;
}

/** Divides, which is slow, unless dividing the constants instead gives what the reference gives of all 256 bytes. */
export function normalizationFor(mean: number, stdDev: number): Normalization {
  const divided = { high, low, mean: fround(mean), stdDev: fround(stdDev), divides: true };
  const over = (value: number) => fround(value / divided.stdDev);
  const folded = { high: over(high), low: over(low), mean: over(divided.mean), stdDev: 1, divides: false };
  const isExact = normalizedBytes(mean, stdDev).every((expected, byte) =>
    Object.is(normalizedByte(byte, folded), expected),
  );
  return isExact ? folded : divided;
}

const mostKept = 32;
const kept = new Map<string, Normalization>();

/** Every frame of a model asks for the same, and finding it tries all bytes. */
export function knownNormalization(mean: number, stdDev: number): Normalization {
  const key = `${mean} ${stdDev}`;
  const known = kept.get(key);
  if (known) return known;
  const found = normalizationFor(mean, stdDev);
  if (kept.size >= mostKept) kept.clear();
  kept.set(key, found);
  return found;
}

/** What `writeNormalization` writes. */
export const normalizationBytes = 20;

/** The order of fields is class Normalization's in assembly/normalization.ts. */
export function writeNormalization(view: DataView, { high, low, mean, stdDev, divides }: Normalization): void {
  [high, low, mean, stdDev].forEach((value, at) => view.setFloat32(4 * at, value, true));
  view.setUint32(16, divides ? 1 : 0, true);
}
