/**
 * How luma and chroma become colours, as browsers compute it: libyuv's integers (include/libyuv/convert_argb.h and row_common.cc), for each
 * matrix and range. A colour is what is left of brightness and chroma, in 1/64 levels, cut off and clamped to 0..255.
 */
export interface YuvMatrix {
  /** brightness is Y · 257 · scale >> 16, plus bias */
  readonly scale: number;
  readonly bias: number;
  readonly redOfV: number;
  readonly greenOfU: number;
  readonly greenOfV: number;
  readonly blueOfU: number;
}

const limited = { scale: 18997, bias: -1160 };
const full = { scale: 16320, bias: 32 };

const matrices = {
  bt601: {
    limited: { ...limited, redOfV: 102, greenOfU: 25, greenOfV: 52, blueOfU: 128 },
    full: { ...full, redOfV: 90, greenOfU: 22, greenOfV: 46, blueOfU: 113 },
    wholeBlueOfU: 129,
  },
  bt709: {
    limited: { ...limited, redOfV: 115, greenOfU: 14, greenOfV: 34, blueOfU: 128 },
    full: { ...full, redOfV: 101, greenOfU: 12, greenOfV: 30, blueOfU: 119 },
    wholeBlueOfU: 135,
  },
} as const;

const standardOf: Readonly<Record<string, keyof typeof matrices>> = {
  smpte170m: 'bt601',
  bt470bg: 'bt601',
  bt709: 'bt709',
};

/** What a `VideoColorSpace` says of a frame; null where it says nothing. */
export interface ColourSpace {
  readonly matrix: string | null;
  readonly fullRange: boolean | null;
}

/**
 * Lists the matrices of a colour space that browsers convert with a matrix. On processors whose factors have 8 bits,
 * blue is that of the first matrix; on others, of the last.
 * @param space `matrix` and `fullRange` of a `VideoColorSpace`; null: it says nothing
 * @returns one or two matrices; none for BT.2020, which browsers convert in another way, or for an unknown space
 * @example
 * yuvMatrices({ matrix: 'bt709', fullRange: false }).map(({ blueOfU }) => blueOfU); // => [128, 135]
 * yuvMatrices({ matrix: 'bt2020-ncl', fullRange: false }); // => []
 */
export function yuvMatrices({ matrix, fullRange }: ColourSpace): readonly YuvMatrix[] {
  const standard = standardOf[matrix ?? ''];
  if (!standard || fullRange === null) return [];
  if (fullRange) return [matrices[standard].full];
  const { limited: cut, wholeBlueOfU } = matrices[standard];
  return [cut, { ...cut, blueOfU: wholeBlueOfU }];
}
