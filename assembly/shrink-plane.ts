// A plane of bytes made smaller, for a person to look at: halved as often as it can be, then two samples a side, by their distance.
// src/machine/vision/yuv/shrink-yuv.ts says it plainly.

/** Takes pairs apart: as many bytes to `first` and to `second`. Reads and writes up to 31 bytes past the last. */
export function splitPairs(pairs: usize, count: i32, first: usize, second: usize): void {
  const end = first + count;
  for (; first < end; first += 16, second += 16, pairs += 32) {
    const a = v128.load(pairs);
    const b = v128.load(pairs, 16);
    v128.store(first, v128.shuffle<i8>(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30));
    v128.store(second, v128.shuffle<i8>(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31));
  }
}

/** Rows two by two as their mean; a last one of an odd number stays. Writes up to 15 bytes past the last row. */
export function halveRows(plane: usize, width: i32, height: i32, out: usize): void {
  const stride: usize = width;
  for (let y = 0; y < height; y += 2, plane += 2 * stride, out += stride) {
    const below: usize = y + 1 < height ? stride : 0;
    for (let x: usize = 0; x < stride; x += 16) {
      v128.store(out + x, i8x16.avgr_u(v128.load(plane + x), v128.load(plane + x + below)));
    }
  }
}

/** Columns likewise. */
export function halveColumns(plane: usize, width: i32, height: i32, out: usize): void {
  const half: usize = (width + 1) >> 1;
  const isOdd = (width & 1) != 0;
  for (let y = 0; y < height; y++, plane += width, out += half) {
    for (let x: usize = 0; x < half; x += 16) {
      const a = v128.load(plane + 2 * x);
      const b = v128.load(plane + 2 * x, 16);
      const even = v128.shuffle<i8>(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
      const odd = v128.shuffle<i8>(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
      v128.store(out + x, i8x16.avgr_u(even, odd));
    }
    if (isOdd) store<u8>(out + half - 1, load<u8>(plane + width - 1));
  }
}

// Where sample `at` of `toLength` lies among `length`, in 128ths.
// @ts-ignore: decorator
@inline
function positionOf(at: i32, length: i32, toLength: i32): i32 {
  const position = <i32>((<i64>(2 * at + 1) * length * 64) / toLength) - 64;
  return max(0, min(position, 128 * (length - 1)));
}

/** Bytes of an entry of a table of columns: where eight begin (u32), each one's way from there (8 bytes, at 8), its weights (8 i16, at 16). */
const entryBytes: usize = 32;

/** Writes which columns `shrinkRow` takes: less than twice as many as `toWidth`. */
export function writeColumns(width: i32, toWidth: i32, table: usize): void {
  for (let x = 0; x < toWidth; x += 8, table += entryBytes) {
    const first = positionOf(x, width, toWidth) >> 7;
    store<u32>(table, first);
    for (let lane = 0; lane < 8; lane++) {
      const position = positionOf(min(x + lane, toWidth - 1), width, toWidth);
      store<u8>(table + 8 + lane, (position >> 7) - first);
      store<i16>(table + 16 + 2 * lane, <i16>(position & 127));
    }
  }
}

// @ts-ignore: decorator
@inline
function mix(a: v128, b: v128, weights: v128): v128 {
  const sum = i16x8.add(i16x8.mul(a, i16x8.sub(i16x8.splat(128), weights)), i16x8.mul(b, weights));
  return i16x8.shr_u(i16x8.add(sum, i16x8.splat(64)), 7);
}

/**
 * Writes row `y` of `toHeight` of a plane made smaller: two rows of it mixed into `line`, then two columns for each of `toWidth`. Reads
 * up to 16 bytes past the plane, and writes as many past `line` and the row.
 */
export function shrinkRow(
  plane: usize,
  width: i32,
  height: i32,
  y: i32,
  toHeight: i32,
  table: usize,
  toWidth: i32,
  line: usize,
  out: usize,
): void {
  const position = positionOf(y, height, toHeight);
  const above = plane + <usize>(position >> 7) * width;
  const below: usize = (position & 127) == 0 ? 0 : width;
  const weights = i16x8.splat(<i16>(position & 127));
  for (let x: usize = 0; x < <usize>width; x += 16) {
    const from = above + x;
    const low = mix(v128.load8x8_u(from), v128.load8x8_u(from + below), weights);
    const high = mix(v128.load8x8_u(from, 8), v128.load8x8_u(from + below, 8), weights);
    v128.store(line + x, i8x16.narrow_i16x8_u(low, high));
  }
  for (const end = out + toWidth; out < end; out += 8, table += entryBytes) {
    const from = line + load<u32>(table);
    const ways = v128.load64_zero(table + 8);
    const left = i16x8.extend_low_i8x16_u(v128.swizzle(v128.load(from), ways));
    const right = i16x8.extend_low_i8x16_u(v128.swizzle(v128.load(from, 1), ways));
    const mixed = mix(left, right, v128.load(table, 16));
    v128.store(out, i8x16.narrow_i16x8_u(mixed, mixed));
  }
}
