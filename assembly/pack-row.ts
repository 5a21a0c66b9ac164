/**
 * How bytes become float32: (v/255 − mean) / std, each step rounded, as three numbers a channel.
 * Where std's inverse gives the same 256 results the loader passes it, and `DIVIDES` is 0.
 */
const MEAN: usize = 0;
const STD_DEV: usize = 4;
const DIVIDES: usize = 8;
const CHANNEL_BYTES: usize = 12;

// 1/255 in two parts: v times the first is exact in float32 (16 + 8 bits), so the sum is rounded once and equals v/255.
// The unit test walks all 256 values.
const HIGH: f32 = reinterpret<f32>(0x3b808000);
const LOW: f32 = reinterpret<f32>(0x33808081);

// @ts-ignore: decorator
@inline
function unit(values: v128): v128 {
  const v = f32x4.convert_i32x4_s(values);
  return f32x4.add(f32x4.mul(v, f32x4.splat(HIGH)), f32x4.mul(v, f32x4.splat(LOW)));
}
// @ts-ignore: decorator
@inline
function normalized(values: v128, channel: usize, divides: bool): v128 {
  const centred = f32x4.sub(unit(values), v128.load32_splat(channel, MEAN));
  const stdDev = v128.load32_splat(channel, STD_DEV);
  return divides ? f32x4.div(centred, stdDev) : f32x4.mul(centred, stdDev);
}

function normalizePlane(plane: usize, width: i32, channel: usize, divides: bool, out: usize): void {
  const end = out + 4 * (width & ~7);
  for (; out < end; out += 32, plane += 16) {
    const values = v128.load(plane);
    v128.store(out, normalized(i32x4.extend_low_i16x8_u(values), channel, divides));
    v128.store(out, normalized(i32x4.extend_high_i16x8_u(values), channel, divides), 16);
  }
  for (let rest = width & 7; rest > 0; rest--, out += 4, plane += 2) {
    const value = normalized(i32x4.splat(load<u16>(plane)), channel, divides);
    store<f32>(out, f32x4.extract_lane(value, 0));
  }
}

function packFloatPlane(plane: usize, width: i32, channel: usize, out: usize): void {
  if (load<u32>(channel, DIVIDES)) normalizePlane(plane, width, channel, true, out);
  else normalizePlane(plane, width, channel, false, out);
}

function packBytePlane(plane: usize, width: i32, out: usize): void {
  const end = out + (width & ~7);
  for (; out < end; out += 8, plane += 16) {
    const values = v128.load(plane);
    v128.store64_lane(out, i8x16.narrow_i16x8_u(values, values), 0);
  }
  for (let rest = width & 7; rest > 0; rest--, out++, plane += 2) store<u8>(out, <u8>load<u16>(plane));
}

function interleaveFloats(red: usize, green: usize, blue: usize, width: i32, out: usize): void {
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
  channels: usize,
  scratch: usize,
  tensor: usize,
): void {
  const rowBytes: usize = 4 * width;
  const scratchBytes: usize = 4 * stride;
  for (let k: i32 = 0; k < 3; k++) {
    const plane = planes + 2 * stride * (bgr ? 2 - k : k);
    const out = nhwc ? scratch + scratchBytes * k : tensor + rowBytes * (k * height + y);
    packFloatPlane(plane, width, channels + CHANNEL_BYTES * k, out);
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
