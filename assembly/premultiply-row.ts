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
