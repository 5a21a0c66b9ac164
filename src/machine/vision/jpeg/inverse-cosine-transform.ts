/**
 * The inverse cosine transform of Go 1.25's image/jpeg, the decoder of the machine's runtime: the 8×8 integer transform of the
 * MPEG-2 reference decoder (ISO/IEC 13818-5; Z. Wang, "Fast algorithms for the discrete W transform and for the discrete
 * Fourier transform", IEEE ASSP-32, 1984), rows first.
 *
 * **This is the one file that changes when the machine's runtime moves to a Go whose decoder has another transform** (Go 1.26
 * has one): headers, Huffman codes, planes and colours stay as they are. Other transforms differ by a level or so in a
 * sixth of the pixels, which is enough to move boxes.
 */

// 2048 · √2 · cos(k · π / 16)
const w1 = 2841;
const w2 = 2676;
const w3 = 2408;
const w5 = 1609;
const w6 = 1108;
const w7 = 565;
/** 256 / √2 */
const halfRoot = 181;

const rows = new Int32Array(64);

/**
 * Turns 64 dequantized coefficients, row by row, into samples, and writes them as 8 rows of a plane: shifted up by
 * 128 and clamped to 0..255. Sums and products are 32 bits wide and wrap, as in the machine's decoder, so that
 * damaged files decode alike too.
 */
export function inverseCosineTransform(
  coefficients: Int32Array,
  from: number,
  plane: Uint8ClampedArray,
  to: number,
  stride: number,
): void {
  if (transformRows(coefficients, from)) transformColumns(plane, to, stride);
  else fillBlock(plane, to, stride, 128 + (((coefficients[from]! << 11) + 8192) >> 14));
}

/** The result of the column transform where only the first coefficient is not zero. */
function fillBlock(plane: Uint8ClampedArray, to: number, stride: number, sample: number): void {
  for (let y = 0, at = to; y < 8; y++, at += stride) {
    plane[at] = sample;
    plane[at + 1] = sample;
    plane[at + 2] = sample;
    plane[at + 3] = sample;
    plane[at + 4] = sample;
    plane[at + 5] = sample;
    plane[at + 6] = sample;
    plane[at + 7] = sample;
  }
}

/** Transforms the rows and leaves 3 fractional bits. Returns whether any coefficient but the first is not zero. */
function transformRows(coefficients: Int32Array, from: number): boolean {
  let others = 0;
  for (let at = 0, i = from; at < 64; at += 8, i += 8) {
    const s0 = coefficients[i]!;
    const s1 = coefficients[i + 1]!;
    const s2 = coefficients[i + 2]!;
    const s3 = coefficients[i + 3]!;
    const s4 = coefficients[i + 4]!;
    const s5 = coefficients[i + 5]!;
    const s6 = coefficients[i + 6]!;
    const s7 = coefficients[i + 7]!;
    if ((s1 | s2 | s3 | s4 | s5 | s6 | s7) === 0) {
      if (i > from) others |= s0;
      const flat = s0 << 3;
      rows[at] = flat;
      rows[at + 1] = flat;
      rows[at + 2] = flat;
      rows[at + 3] = flat;
      rows[at + 4] = flat;
      rows[at + 5] = flat;
      rows[at + 6] = flat;
      rows[at + 7] = flat;
      continue;
    }
    others = 1;
    const evenSum = ((s0 << 11) + (s4 << 11) + 128) | 0;
    const evenDifference = ((s0 << 11) - (s4 << 11) + 128) | 0;
    const turned26 = (Math.imul(w2, s2) + Math.imul(w6, s6)) | 0;
    const turned62 = (Math.imul(w6, s2) - Math.imul(w2, s6)) | 0;
    const even0 = (evenSum + turned26) | 0;
    const even1 = (evenDifference + turned62) | 0;
    const even2 = (evenDifference - turned62) | 0;
    const even3 = (evenSum - turned26) | 0;
    const turned17 = (Math.imul(w1, s1) + Math.imul(w7, s7)) | 0;
    const turned71 = (Math.imul(w7, s1) - Math.imul(w1, s7)) | 0;
    const turned53 = (Math.imul(w5, s5) + Math.imul(w3, s3)) | 0;
    const turned35 = (Math.imul(w3, s5) - Math.imul(w5, s3)) | 0;
    const odd0 = (turned17 + turned53) | 0;
    const odd3 = (turned71 + turned35) | 0;
    const left = (turned17 - turned53) | 0;
    const right = (turned71 - turned35) | 0;
    const odd1 = (Math.imul(halfRoot, left + right) + 128) >> 8;
    const odd2 = (Math.imul(halfRoot, left - right) + 128) >> 8;
    rows[at] = (even0 + odd0) >> 8;
    rows[at + 1] = (even1 + odd1) >> 8;
    rows[at + 2] = (even2 + odd2) >> 8;
    rows[at + 3] = (even3 + odd3) >> 8;
    rows[at + 4] = (even3 - odd3) >> 8;
    rows[at + 5] = (even2 - odd2) >> 8;
    rows[at + 6] = (even1 - odd1) >> 8;
    rows[at + 7] = (even0 - odd0) >> 8;
  }
  return others !== 0;
}

function transformColumns(plane: Uint8ClampedArray, to: number, stride: number): void {
  const stride2 = stride << 1;
  const stride3 = stride + stride2;
  const stride4 = stride << 2;
  const stride5 = stride4 + stride;
  const stride6 = stride4 + stride2;
  const stride7 = stride4 + stride3;
  for (let x = 0; x < 8; x++) {
    const at = (to + x) | 0;
    const s0 = rows[x]!;
    const s1 = rows[x + 8]!;
    const s2 = rows[x + 16]!;
    const s3 = rows[x + 24]!;
    const s4 = rows[x + 32]!;
    const s5 = rows[x + 40]!;
    const s6 = rows[x + 48]!;
    const s7 = rows[x + 56]!;
    const evenSum = ((s0 << 8) + (s4 << 8) + 8192) | 0;
    const evenDifference = ((s0 << 8) - (s4 << 8) + 8192) | 0;
    const turned26 = (Math.imul(w2, s2) + Math.imul(w6, s6) + 4) >> 3;
    const turned62 = (Math.imul(w6, s2) - Math.imul(w2, s6) + 4) >> 3;
    const even0 = (evenSum + turned26) | 0;
    const even1 = (evenDifference + turned62) | 0;
    const even2 = (evenDifference - turned62) | 0;
    const even3 = (evenSum - turned26) | 0;
    const turned17 = (Math.imul(w1, s1) + Math.imul(w7, s7) + 4) >> 3;
    const turned71 = (Math.imul(w7, s1) - Math.imul(w1, s7) + 4) >> 3;
    const turned53 = (Math.imul(w5, s5) + Math.imul(w3, s3) + 4) >> 3;
    const turned35 = (Math.imul(w3, s5) - Math.imul(w5, s3) + 4) >> 3;
    const odd0 = (turned17 + turned53) | 0;
    const odd3 = (turned71 + turned35) | 0;
    const left = (turned17 - turned53) | 0;
    const right = (turned71 - turned35) | 0;
    const odd1 = (Math.imul(halfRoot, left + right) + 128) >> 8;
    const odd2 = (Math.imul(halfRoot, left - right) + 128) >> 8;
    plane[at] = 128 + ((even0 + odd0) >> 14);
    plane[(at + stride) | 0] = 128 + ((even1 + odd1) >> 14);
    plane[(at + stride2) | 0] = 128 + ((even2 + odd2) >> 14);
    plane[(at + stride3) | 0] = 128 + ((even3 + odd3) >> 14);
    plane[(at + stride4) | 0] = 128 + ((even3 - odd3) >> 14);
    plane[(at + stride5) | 0] = 128 + ((even2 - odd2) >> 14);
    plane[(at + stride6) | 0] = 128 + ((even1 - odd1) >> 14);
    plane[(at + stride7) | 0] = 128 + ((even0 - odd0) >> 14);
  }
}
