// The table of a test, laid out by the loader: see writePixelTest in src/platform/kernel/mark-job.ts.
/** By part of the turn: denominator and negated numerator of the fraction from which hues are in the range, two i16. */
const FIRST: usize = 0;
/** The same from which they are past it. */
const PAST: usize = 16;
const LOWEST_VALUE: usize = 32;
const LOWEST_SATURATION: usize = 33;
const INVERTED: usize = 34;

/** The sign bit says that a hue is in the range: difference / chroma has reached the first fraction, and not the one past it. */
// @ts-ignore: decorator
@inline
function isInRange(pairs: v128, part: v128, first: v128, past: v128): v128 {
  const at = v128.add<i8>(part, v128.splat<i32>(0x03020100));
  return v128.andnot(
    i32x4.dot_i16x8_s(pairs, v128.swizzle(past, at)),
    i32x4.dot_i16x8_s(pairs, v128.swizzle(first, at)),
  );
}

// @ts-ignore: decorator
@inline
function saturationsPass(chroma: v128, value: v128, lowest: v128): v128 {
  const full = i8x16.splat(-1);
  return i8x16.narrow_i16x8_s(
    i16x8.ge_u(i16x8.extmul_low_i8x16_u(chroma, full), i16x8.extmul_low_i8x16_u(value, lowest)),
    i16x8.ge_u(i16x8.extmul_high_i8x16_u(chroma, full), i16x8.extmul_high_i8x16_u(value, lowest)),
  );
}

/** The marks of 16 pixels of RGBA; the lowest bit is the first one's. */
// @ts-ignore: decorator
@inline
function marksAt(at: usize, test: usize): i32 {
  const a = v128.load(at);
  const b = v128.load(at, 16);
  const c = v128.load(at, 32);
  const d = v128.load(at, 48);
  const redGreenAb = v128.shuffle<i8>(a, b, 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
  const redGreenCd = v128.shuffle<i8>(c, d, 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
  const blueAb = v128.shuffle<i8>(a, b, 2, 6, 10, 14, 18, 22, 26, 30, 2, 6, 10, 14, 18, 22, 26, 30);
  const blueCd = v128.shuffle<i8>(c, d, 2, 6, 10, 14, 18, 22, 26, 30, 2, 6, 10, 14, 18, 22, 26, 30);
  const red = v128.shuffle<i64>(redGreenAb, redGreenCd, 0, 2);
  const green = v128.shuffle<i64>(redGreenAb, redGreenCd, 1, 3);
  const blue = v128.shuffle<i64>(blueAb, blueCd, 0, 2);

  const value = i8x16.max_u(i8x16.max_u(red, green), blue);
  const chroma = i8x16.sub(value, i8x16.min_u(i8x16.min_u(red, green), blue));
  const passes = i8x16.bitmask(
    v128.and(
      i8x16.ge_u(value, v128.load8_splat(test, LOWEST_VALUE)),
      saturationsPass(chroma, value, v128.load8_splat(test, LOWEST_SATURATION)),
    ),
  );
  if (!passes) return 0;

  const isBlue = i8x16.eq(value, blue);
  const isGreen = i8x16.eq(value, green);
  const minuend = v128.bitselect(red, v128.bitselect(blue, green, isGreen), isBlue);
  const subtrahend = v128.bitselect(green, v128.bitselect(red, blue, isGreen), isBlue);
  // Four times the number of the part: where its fraction lies in the table.
  const ofRed = v128.and(i8x16.lt_u(green, blue), i8x16.splat(12));
  const part = v128.bitselect(i8x16.splat(8), v128.bitselect(i8x16.splat(4), ofRed, isGreen), isBlue);
  const differenceLow = i16x8.sub(i16x8.extend_low_i8x16_u(minuend), i16x8.extend_low_i8x16_u(subtrahend));
  const differenceHigh = i16x8.sub(i16x8.extend_high_i8x16_u(minuend), i16x8.extend_high_i8x16_u(subtrahend));
  const chromaLow = i16x8.extend_low_i8x16_u(chroma);
  const chromaHigh = i16x8.extend_high_i8x16_u(chroma);
  const first = v128.load(test, FIRST);
  const past = v128.load(test, PAST);
  const low = i16x8.narrow_i32x4_s(
    isInRange(
      v128.shuffle<i16>(differenceLow, chromaLow, 0, 8, 1, 9, 2, 10, 3, 11),
      v128.shuffle<i8>(part, part, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3),
      first,
      past,
    ),
    isInRange(
      v128.shuffle<i16>(differenceLow, chromaLow, 4, 12, 5, 13, 6, 14, 7, 15),
      v128.shuffle<i8>(part, part, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7),
      first,
      past,
    ),
  );
  const high = i16x8.narrow_i32x4_s(
    isInRange(
      v128.shuffle<i16>(differenceHigh, chromaHigh, 0, 8, 1, 9, 2, 10, 3, 11),
      v128.shuffle<i8>(part, part, 8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 10, 11, 11, 11, 11),
      first,
      past,
    ),
    isInRange(
      v128.shuffle<i16>(differenceHigh, chromaHigh, 4, 12, 5, 13, 6, 14, 7, 15),
      v128.shuffle<i8>(part, part, 12, 12, 12, 12, 13, 13, 13, 13, 14, 14, 14, 14, 15, 15, 15, 15),
      first,
      past,
    ),
  );
  const isIn = i8x16.bitmask(i8x16.narrow_i16x8_s(low, high));
  return passes & (isIn ^ -(<i32>load<u8>(test, INVERTED)));
}

/**
 * Marks the pixels of rows of RGBA that pass a test, as bits: a row begins with a u32 of its own. Reads up to 124 bytes past
 * the last row.
 */
export function markRows(pixels: usize, width: i32, rows: i32, test: usize, out: usize): void {
  const words = (width + 31) >> 5;
  const beyond = 32 * words - width;
  for (let y = 0; y < rows; y++, pixels += 4 * width) {
    for (let word = 0; word < words; word++, out += 4) {
      const at = pixels + 128 * word;
      store<i32>(out, marksAt(at, test) | (marksAt(at + 64, test) << 16));
    }
    store<u32>(out - 4, load<u32>(out - 4) & (<u32>-1 >>> beyond));
  }
}
