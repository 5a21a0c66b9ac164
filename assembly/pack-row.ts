import { NORMALIZATION_BYTES, Normalization, normalized } from './normalization';

// @ts-ignore: decorator
@inline
function normalizeColumns(plane: usize, width: i32, by: Normalization, divides: bool, out: usize): void {
  const high = f32x4.splat(by.high);
  const low = f32x4.splat(by.low);
  const mean = f32x4.splat(by.mean);
  const stdDev = f32x4.splat(by.stdDev);
  const end = out + 4 * (width & ~7);
  for (; out < end; out += 32, plane += 16) {
    const values = v128.load(plane);
    const left = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(values));
    const right = f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_u(values));
    v128.store(out, normalized(left, high, low, mean, stdDev, divides));
    v128.store(out, normalized(right, high, low, mean, stdDev, divides), 16);
  }
  for (let rest = width & 7; rest > 0; rest--, out += 4, plane += 2) {
    const value = normalized(f32x4.splat(<f32>load<u16>(plane)), high, low, mean, stdDev, divides);
    store<f32>(out, f32x4.extract_lane(value, 0));
  }
}

function packFloatPlane(plane: usize, width: i32, by: Normalization, out: usize): void {
  if (by.divides) normalizeColumns(plane, width, by, true, out);
  else normalizeColumns(plane, width, by, false, out);
}

function packBytePlane(plane: usize, width: i32, out: usize): void {
  const end = out + (width & ~7);
  for (; out < end; out += 8, plane += 16) {
    const values = v128.load(plane);
    v128.store64_lane(out, i8x16.narrow_i16x8_u(values, values), 0);
  }
  for (let rest = width & 7; rest > 0; rest--, out++, plane += 2) store<u8>(out, <u8>load<u16>(plane));
}

/** Three rows of float32, in output order, as one of pixels. */
export function interleaveFloats(red: usize, green: usize, blue: usize, width: i32, out: usize): void {
  const vectorEnd = red + 4 * (width & ~3);
  for (; red < vectorEnd; red += 16, green += 16, blue += 16, out += 48) {
    const r = v128.load(red);
    const g = v128.load(green);
    const b = v128.load(blue);
    const rgLow = v128.shuffle<i32>(r, g, 0, 4, 1, 5);
    const rgHigh = v128.shuffle<i32>(r, g, 2, 6, 3, 7);
    const second = v128.shuffle<i32>(rgLow, b, 3, 5, 3, 5);
    v128.store(out, v128.shuffle<i32>(rgLow, b, 0, 1, 4, 2));
    v128.store(out, v128.shuffle<i32>(second, rgHigh, 0, 1, 4, 5), 16);
    v128.store(out, v128.shuffle<i32>(b, rgHigh, 2, 6, 7, 3), 32);
  }
  for (let rest = width & 3; rest > 0; rest--, red += 4, green += 4, blue += 4, out += 12) {
    store<u32>(out, load<u32>(red));
    store<u32>(out, load<u32>(green), 4);
    store<u32>(out, load<u32>(blue), 8);
  }
}

function interleaveBytes(red: usize, green: usize, blue: usize, width: i32, out: usize): void {
  const end = red + 2 * width;
  for (; red < end; red += 2, green += 2, blue += 2, out += 3) {
    store<u8>(out, <u8>load<u16>(red));
    store<u8>(out, <u8>load<u16>(green), 1);
    store<u8>(out, <u8>load<u16>(blue), 2);
  }
}

/** Packs planes of i16 (`stride` i16 apart, in output order from `first` by `step` planes) as row `y` of a float32 tensor. */
export function packFloatRow(
  planes: usize,
  stride: i32,
  bgr: bool,
  width: i32,
  height: i32,
  y: i32,
  nhwc: bool,
  normalizations: usize,
  scratch: usize,
  tensor: usize,
): void {
  const rowBytes: usize = 4 * width;
  const scratchBytes: usize = 4 * stride;
  for (let k: i32 = 0; k < 3; k++) {
    const plane = planes + 2 * stride * (bgr ? 2 - k : k);
    const out = nhwc ? scratch + scratchBytes * k : tensor + rowBytes * (k * height + y);
    packFloatPlane(plane, width, changetype<Normalization>(normalizations + NORMALIZATION_BYTES * k), out);
  }
  if (nhwc)
    interleaveFloats(scratch, scratch + scratchBytes, scratch + 2 * scratchBytes, width, tensor + 3 * rowBytes * y);
}

/** As packFloatRow, for a uint8 tensor: the bytes as they are. */
export function packByteRow(
  planes: usize,
  stride: i32,
  bgr: bool,
  width: i32,
  height: i32,
  y: i32,
  nhwc: bool,
  tensor: usize,
): void {
  const planeBytes: usize = 2 * stride;
  const first = bgr ? planes + 2 * planeBytes : planes;
  const last = bgr ? planes : planes + 2 * planeBytes;
  if (nhwc) return interleaveBytes(first, planes + planeBytes, last, width, tensor + 3 * width * y);
  packBytePlane(first, width, tensor + width * y);
  packBytePlane(planes + planeBytes, width, tensor + width * (height + y));
  packBytePlane(last, width, tensor + width * (2 * height + y));
}
