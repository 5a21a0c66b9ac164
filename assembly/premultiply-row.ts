/** Whether every alpha of a row of RGBA bytes is 255. */
export function isOpaque(row: usize, width: i32): bool {
  let all = i32x4.splat(-1);
  const end = row + 4 * width;
  const vectorEnd = row + 4 * (width & ~3);
  for (; row < vectorEnd; row += 16) all = v128.and(all, v128.load(row));
  for (; row < end; row += 4) all = v128.and(all, v128.load32_splat(row));
  return i32x4.all_true(i32x4.eq(i32x4.shr_s(all, 24), i32x4.splat(-1)));
}

/**
 * Copies a row of RGBA bytes with each colour times its alpha. What is stretched afterwards is multiplied in 8 bits, what is not in
 * 16, as the machine does: not always the same byte.
 */
export function premultiplyRow(row: usize, width: i32, isStretched: bool, out: usize): void {
  const end = row + 4 * width;
  for (; row < end; row += 4, out += 4) {
    const alpha = <u32>load<u8>(row, 3);
    store<u8>(out, premultiplied(load<u8>(row), alpha, isStretched));
    store<u8>(out, premultiplied(load<u8>(row, 1), alpha, isStretched), 1);
    store<u8>(out, premultiplied(load<u8>(row, 2), alpha, isStretched), 2);
    store<u8>(out, <u8>alpha, 3);
  }
}

function premultiplied(value: u32, alpha: u32, isStretched: bool): u8 {
  return <u8>(isStretched ? (value * alpha) / 255 : ((value * 257 * alpha) / 255) >> 8);
}
